import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { writeProgram, type ExportedProgram } from "@devid/clone";
import { expect, it } from "vitest";
import { folderForEachTest } from "../../helpers/test-folder";

let folder: string;
folderForEachTest((path) => (folder = path));

const MANIFEST = ".devid-export.json";
const WRITER = resolve(__dirname, "../../../clone/dist/write/write-program.js");

const PROGRAM = {
  part: { region: "us", workspace: "ae_1" },
  whole: { region: "us", environments: [], objects: {}, unread: [] },
  ...{ names: {}, leftOut: [], unread: [], resources: 0 },
};

/** Writes a program in a process of its own, which is killed at a step if `at` is one. */
const SCRIPT = `
  const fs = require("node:fs");
  const { folder, program, files, at } = JSON.parse(process.argv[1]);
  let step = 0;
  for (const name of ["mkdirSync", "writeFileSync", "renameSync", "rmSync"]) {
    const own = fs[name];
    fs[name] = (path, ...rest) => {
      if (step++ === at) {
        if (name === "writeFileSync") own(path, rest[0].slice(0, 2), rest[1]);
        process.kill(process.pid, "SIGKILL");
      }
      return own(path, ...rest);
    };
  }
  const { writeProgram } = require(${JSON.stringify(WRITER)});
  writeProgram(folder, { ...program, files: new Map(files) });
`;

function writeInProcess(files: object, into: string, at?: number) {
  const given = {
    folder: into,
    program: PROGRAM,
    files: Object.entries(files),
    at,
  };
  const options = { encoding: "utf8", timeout: 20_000 } as const;
  return spawnSync(
    process.execPath,
    ["-e", SCRIPT, JSON.stringify(given)],
    options,
  );
}

function write(files: object): void {
  const program = { ...PROGRAM, files: new Map(Object.entries(files)) };
  writeProgram(folder, program as unknown as ExportedProgram);
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
  { timeout: 120_000 },
  (_, before) => {
    let isKilled = true;
    for (let at = 0; isKilled; at++) {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      if (before) write(before);
      isKilled = writeInProcess(SECOND, folder, at).signal === "SIGKILL";
      for (const [path, text] of Object.entries(filesIn()))
        if (!path.endsWith(".draft"))
          expect(["first", "second"], `${path} after step ${at}`).toContain(
            text,
          );
      write(THIRD);
      expect(filesIn(), `after step ${at}`).toEqual(THIRD);
    }
  },
);

it("an export goes on after one of the same process number, as in a container", () => {
  writeFileSync(join(folder, `.devid-export.${process.pid}.draft`), "half");
  write(FIRST);
  expect(filesIn()).toEqual(FIRST);
});

it("an export ends with an error where the file system takes no folder", () => {
  const { status, stderr } = writeInProcess(FIRST, "/proc/devid/program");
  expect(status).toBe(1);
  expect(stderr).toContain("cannot be written");
});
