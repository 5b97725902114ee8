import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileError } from "../../cli/src/errors";
import { folderForTests } from "../helpers/test-folder";

const folder = folderForTests();

const failure = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing failed.");
};

it("describes in words why a file cannot be used", () => {
  writeFileSync(join(folder, "file"), "");
  const read = (path: string) =>
    fileError(
      path,
      "read",
      failure(() => readFileSync(join(folder, path))),
    ).message;
  const write = (path: string) =>
    fileError(
      path,
      "written",
      failure(() => writeFileSync(join(folder, path), "")),
    ).message;
  expect(read("none")).toSay("files/missing", { path: "none" });
  expect(read(".")).toSay("files/read-of-a-folder");
  expect(read("file/a")).toSay("files/below-a-file", { path: "file/a" });
  expect(write("none/a")).toSay("files/no-folder", { path: "none/a" });
  expect(write(".")).toSay("files/write-to-a-folder");
  const denied = Object.assign(new Error("no"), { code: "EACCES" });
  expect(fileError("a", "written", denied).message).toSay("files/not-writable");
});
