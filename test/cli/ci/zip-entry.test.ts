import { expect, it } from "vitest";
import { parse } from "yaml";
import { onlyZipEntry } from "../../../cli/src/ci/zip-entry";
import { cellsOf } from "../../helpers/cells-of";
import { zipArchive, type ZipFile } from "../../helpers/zip-archive";

const NAME = "reviewed-plan.json";
const CONTENT = JSON.stringify({ version: 1, plan: "x".repeat(10_000) });
const read = async (archive: Uint8Array, most = 1_000_000) =>
  String(await onlyZipEntry(archive, NAME, most));

it("reads the only file of an archive, packed or not", async () => {
  for (const isPacked of [true, false])
    expect(
      await read(zipArchive({ name: NAME, content: CONTENT, isPacked })),
    ).toBe(CONTENT);
});

// Python's zipfile wrote it as a stream: the sizes stand only behind the content and in the
// directory, as in the archives of GitHub.
const STREAMED = [
  "UEsDBBQACAAIAFR1fF0AAAAAAAAAAAAAAAASAAAAcmV2aWV3ZWQtcGxhbi5qc29uq1YqSy0q",
  "zszPU7IyrAUAUEsHCDOaMHEPAAAADQAAAFBLAQIUAxQACAAIAFR1fF0zmjBxDwAAAA0AAAAS",
  "AAAAAAAAAAAAAACkgQAAAAByZXZpZXdlZC1wbGFuLmpzb25QSwUGAAAAAAEAAQBAAAAATwAA",
  "AAAA",
].join("");

it("reads an archive that was written as a stream", async () => {
  expect(await read(Buffer.from(STREAMED, "base64"))).toBe('{"version":1}');
});

const EMPTY = { content: "" };
const whole = zipArchive({ name: NAME, content: CONTENT });

/** What is wrong with an archive, its files, and the reason. */
const ARCHIVES = `
two files | {name: ${NAME}}, {name: .npmrc} | has 2 files
no file | | has 0 files
another file | {name: .npmrc} | its file is ".npmrc"
a path that leads out | {name: ../${NAME}} | invalid relative path
a link | {name: ${NAME}, content: /etc/passwd, mode: 0o120777} | no regular file
a device | {name: ${NAME}, mode: 0o020666} | no regular file
an encrypted file | {name: ${NAME}, flags: 1} | encrypted
a size that is not that of the content | {name: ${NAME}, content: much, size: 1} | too many bytes
`;

it.each<readonly [string, Buffer, string]>([
  ...cellsOf(ARCHIVES).map(([what = "", files, reason = ""]) => {
    const given = parse(`[${files}]`) as ZipFile[];
    const archive = zipArchive(...given.map((one) => ({ ...EMPTY, ...one })));
    return [what, archive, reason] as const;
  }),
  [
    "the half of an archive",
    whole.subarray(whole.length / 2),
    "cannot be unpacked",
  ],
  ["no archive", Buffer.from(CONTENT), "not a zip file"],
  ["nothing", Buffer.alloc(0), "not a zip file"],
])("refuses %s", async (_, archive, reason) => {
  await expect(read(archive)).rejects.toThrow(reason);
});

it("unpacks no more than its bound, whatever size the archive names", async () => {
  const zeros = Buffer.alloc(2_000_000);
  for (const size of [zeros.length, 10])
    await expect(
      read(zipArchive({ name: NAME, content: zeros, size })),
    ).rejects.toThrow(/more than 1000000 bytes|too many bytes/);
});
