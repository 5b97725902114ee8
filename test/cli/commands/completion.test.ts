import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { DevidProcess } from "../devid-process";

let printed: Promise<string>;

beforeAll(async () => {
  printed = DevidProcess.run(["completion", "bash"]).then(
    ({ stdout }) => stdout,
  );
  await printed;
}, 60_000);

/** The words that a real bash offers for a command line. */
async function offered(line: string): Promise<string[]> {
  const script = `${await printed}
COMP_WORDS=(${line.endsWith(" ") ? `${line}""` : line})
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_devid
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync("bash", ["--norc", "-c", script], {
    encoding: "utf8",
  });
  return output.split("\n").filter((word) => word !== "");
}

describe("devid completion", () => {
  it.each([
    ["devid ru", ["rules"]],
    ["devid rules ch", ["check"]],
    ["devid rules check --fi", ["--fix"]],
    ["devid rules check --format sa", ["sarif"]],
    ["devid rules check --format g", ["github"]],
    ["devid rules fmt --ch", ["--check"]],
    ["devid rules check rul", []],
    ["devid events get --re", ["--region"]],
    ["devid completion f", ["fish"]],
  ])("makes bash complete %s", async (line, words) => {
    expect(await offered(line)).toEqual(words);
  });

  it("makes bash offer every command, and no hidden flag", async () => {
    const all = await offered("devid ");
    expect(all).toEqual(
      expect.arrayContaining(["serve", "rules", "lsp", "completion", "--help"]),
    );
    expect(await offered("devid rules check --fix-")).toEqual([]);
  });

  it("offers the same words in zsh and fish", async () => {
    for (const shell of ["zsh", "fish"]) {
      const { stdout } = await DevidProcess.run(["completion", shell]);
      for (const word of ["in-force", "assume-not-sent", "junit"])
        expect(stdout).toContain(word);
    }
  });

  it("makes fish escape shell characters in values, and offer no files in place of a command", async () => {
    const { stdout } = await DevidProcess.run(["completion", "fish"]);
    expect(stdout).toContain("-x -a '\\\\<p95 p95-p99 ");
    const group = `complete -c devid -n '__devid_at "devid rules"' -f\n`;
    expect(stdout).toContain(group);
    expect(stdout).not.toContain(group.replace("rules", "rules check"));
  });

  it("refuses an unknown shell", async () => {
    const { code, stderr } = await DevidProcess.run(["completion", "tcsh"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Allowed choices are bash, zsh, fish.");
  });
});
