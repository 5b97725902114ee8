import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  folderForEachTest,
  folderForTests,
} from "../../../helpers/test-folder";
import { DevidProcess } from "../../devid-process";

let folder: string;
folderForEachTest((path) => (folder = path));
beforeEach(() => {
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, "rules.yaml"), "rules: []\n");
});

const SECRET = "s3cret-of-the-pipeline";
const elsewhere = folderForTests();

async function run(...args: readonly string[]) {
  const { code, stdout, stderr } = await DevidProcess.run(args);
  return { code, text: stdout + stderr };
}

describe("a rule file that a pull request brings", () => {
  const COMMANDS = (path: string): readonly (readonly string[])[] => [
    ["rules", "check", path],
    ["rules", "check", "--fix", path],
    ["rules", "fmt", path],
    ["rules", "test", path],
    ["rules", "diff", join(folder, "rules.yaml"), path],
    ["rules", "review", path, "--base", join(folder, "rules.yaml")],
  ];

  it("is refused without a word of what it holds, if it is a link that leads out", async () => {
    const path = join(folder, "link.yaml");
    const target = join(elsewhere, "environ");
    writeFileSync(target, SECRET);
    symlinkSync(target, path);
    for (const args of COMMANDS(path)) {
      const { code, text } = await run(...args);
      expect(text, args.join(" ")).toContain(
        `${path} cannot be read: it is a link that leads out of ${folder}`,
      );
      expect([code, text.includes(SECRET)]).toEqual([1, false]);
    }
  });

  it("is refused at once if it is a device or a pipe", async () => {
    const pipe = join(folder, "pipe.yaml");
    execFileSync("mkfifo", [pipe]);
    const open = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    for (const path of [pipe, `/dev/fd/${open}`]) {
      const { code, text } = await run("rules", "check", path);
      expect(text).toContain(
        `${path} cannot be read: it is a device, a pipe or a socket`,
      );
      expect(code).toBe(1);
    }
    closeSync(open);
    expect((await run("rules", "check", "/dev/zero")).text).toContain(
      "/dev/zero cannot be read: it is a device",
    );
  });
});
