import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { round, type Figure } from "./figure";
import { ruleCorpus } from "./rule-corpus";

const CLI = require.resolve("@devid/cli/bin/devid.js");

/** Prints the cost of a process when it ends, as the last line of standard error. */
const REPORT = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  const { maxRSS } = process.resourceUsage();
  require("node:fs").writeSync(2, "\\n" + JSON.stringify({ ms: (user + system) / 1000, mb: maxRSS / 1024 }));
});`;

const LOOP_STEPS = 500_000_000;

/** Processor time of a fixed loop, in seconds. Runs at another speed of the machine can be compared by it. */
function loopSeconds(): number {
  const before = process.cpuUsage();
  let number = 1;
  for (let i = 0; i < LOOP_STEPS; i++)
    number = (Math.imul(number, 1_103_515_245) + 12_345) | 0;
  const { user, system } = process.cpuUsage(before);
  // The result is used, so V8 cannot leave the loop out.
  return number === 0 ? NaN : (user + system) / 1e6;
}

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
    const figure = (name: string, goalMs: number, args: readonly string[]) => {
      const { ms, mb } = taken(...args);
      return [
        {
          name: `${name}, processor time`,
          value: round(ms / 1_000),
          unit: "s",
          goal: `< ${goalMs / 1_000}`,
          holds: ms < goalMs,
        },
        {
          name: `${name}, most memory`,
          value: Math.round(mb),
          unit: "MB",
          goal: "< 500",
          holds: mb < 500,
        },
      ];
    };
    return [
      {
        name: "a fixed loop, to compare machines, processor time",
        value: round(loopSeconds()),
        unit: "s",
        goal: "-",
        holds: true,
      },
      ...figure("devid rules check: 1,000 rules in one file", 1_500, [
        "check",
        all,
        "--max-rules",
        "1000",
      ]),
      ...figure("devid rules review: one change among 1,000 rules", 3_000, [
        "review",
        changed,
        "--base",
        all,
      ]),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
