import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { figure, type Figure } from "./figure";
import { ruleCorpus } from "./rule-corpus";

const CLI = require.resolve("@devid/cli/bin/devid.js");

/** Prints the cost of a process when it ends, as the last line of standard error. */
const REPORT = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  const { maxRSS } = process.resourceUsage();
  require("node:fs").writeSync(2, "\\n" + JSON.stringify({ ms: (user + system) / 1000, mb: maxRSS / 1024 }));
});`;

/**
 * `devid rules check` and `devid rules review` with one file of very many rules, in
 * separate processes.
 */
export function largeSetFigures(seed: number): Figure[] {
  const folder = mkdtempSync(join(tmpdir(), "devid-bench-"));
  const report = join(folder, "report.cjs");
  writeFileSync(report, REPORT);
  const fileOf = (name: string, rules: unknown) => {
    const path = join(folder, name);
    writeFileSync(path, stringify({ rules }));
    return path;
  };
  const taken = (...args: string[]) => {
    const { stderr } = spawnSync(
      process.execPath,
      ["--require", report, CLI, "rules", ...args],
      { encoding: "utf8", maxBuffer: 2 ** 30 },
    );
    return JSON.parse(stderr.slice(stderr.lastIndexOf("\n"))) as {
      ms: number;
      mb: number;
    };
  };
  try {
    const rules = ruleCorpus(1_000, seed);
    const all = fileOf("all.yaml", rules);
    const changed = fileOf(
      "changed.yaml",
      rules.with(500, {
        name: "rule-500",
        expression: "sdk.version == 'changed'",
        action: "deny",
        status: "enabled",
      }),
    );
    const figures = (name: string, atMost: number, args: readonly string[]) => {
      const { ms, mb } = taken(...args);
      return [
        figure(`${name}, processor time`, ms / 1_000, "s", { atMost }),
        figure(`${name}, most memory`, mb, "MB", { atMost: 500 }),
      ];
    };
    const check = ["check", all, "--max-rules", "1000"];
    const review = ["review", changed, "--base", all];
    return [
      ...figures("devid rules check: 1,000 rules in one file", 1.5, check),
      ...figures("devid rules review: one change among 1,000", 3, review),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
