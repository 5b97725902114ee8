import fs, {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { writeProgram, type ExportedProgram } from "@devid/clone";
import { expect, it, vi } from "vitest";
import { folderForEachTest } from "../../helpers/test-folder";

let folder: string;
folderForEachTest((path) => (folder = path));

const MANIFEST = ".devid-export.json";

const PROGRAM = {
  part: { region: "us", workspace: "ae_1" },
  whole: { region: "us", environments: [], objects: {}, unread: [] },
  ...{ names: {}, leftOut: [], unread: [], resources: 0 },
};

function write(files: object, into = folder): void {
  const program = { ...PROGRAM, files: new Map(Object.entries(files)) };
  writeProgram(into, program as unknown as ExportedProgram);
}

const CHANGES = ["mkdirSync", "writeFileSync", "renameSync", "rmSync"] as const;
type Change = (path: string, ...rest: unknown[]) => unknown;

/**
 * Writes a program as a process that is killed at a change of the file system: half of a file
 * is written, and nothing is changed later. Returns whether there were so many changes.
 */
function isKilledAt(at: number, files: object): boolean {
  let step = 0;
  // No process has this number.
  vi.spyOn(process, "pid", "get").mockReturnValue(2 ** 30);
  for (const name of CHANGES) {
    const change = fs[name] as Change;
    vi.spyOn(fs, name).mockImplementation(((path, ...rest) => {
      if (step++ < at) return change(path, ...rest);
      if (step === at + 1 && name === "writeFileSync")
        change(path, String(rest[0]).slice(0, 2), rest[1]);
      throw new Error("The process is killed.");
    }) as Change as never);
  }
  syncBuiltinESMExports();
  try {
    write(files);
  } catch {
    // The process has ended.
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
  return step > at;
}

const filesIn = () =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && one.name !== MANIFEST)
      .map(({ parentPath, name }) => [
        join(parentPath, name).slice(folder.length + 1),
        readFileSync(join(parentPath, name), "utf8"),
      ]),
  );

const FIRST = { "index.ts": "first", "keys.ts": "first" };
const SECOND = { "index.ts": "second", "rules/a.yaml": "second" };
const THIRD = { "index.ts": "third", "hooks.ts": "third" };

it.each([
  ["a first export", undefined],
  ["an export over another", FIRST],
])(
  "%s that is killed at any step leaves whole files, and the next export goes on",
  (_, before) => {
    let at = 0;
    for (let isKilled = true; isKilled; at++) {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      if (before) write(before);
      isKilled = isKilledAt(at, SECOND);
      for (const [path, text] of Object.entries(filesIn()))
        if (!path.endsWith(".draft"))
          expect(["first", "second"], `${path} after step ${at}`).toContain(
            text,
          );
      write(THIRD);
      expect(filesIn(), `after step ${at}`).toEqual(THIRD);
    }
    expect(at).toBeGreaterThan(5);
  },
);

it("an export goes on after one of the same process number, as in a container", () => {
  writeFileSync(join(folder, `.devid-export.${process.pid}.draft`), "half");
  write(FIRST);
  expect(filesIn()).toEqual(FIRST);
});

it("an export ends with an error where the file system takes no folder", () => {
  expect(() => write(FIRST, "/proc/devid/program")).toThrow(
    "cannot be written",
  );
});
