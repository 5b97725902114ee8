import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  checkExpression,
  compileExpression,
  eventAsRuleRequest,
} from "@devid/rules/language";
import { decidePartly, type Rule } from "@devid/rules";
import type { Event } from "@devid/sdk";
import { EventParts } from "@devid/warehouse";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compound, event, rules } from "../../../review/replay/random-replay";
import { openDuckDb, queryOf } from "../../../warehouse/sql/duckdb";
import { DevidProcess } from "../../devid-process";

const seed = 20251120;
let folder: string;
let events: readonly Event[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "devid-sql-"));
  events = fc
    .sample(event, { numRuns: 500, seed })
    .map((one, n) => ({ ...one, event_id: `e${n}` }));
  const parts = await EventParts.open(folder);
  await parts.write(1, events);
  await parts.close();
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function ruleFile(name: string, set: readonly Rule[]): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ rules: set }));
  return path;
}

const rule = (expression: string): Rule => ({
  ...{ name: "r", expression, action: "deny", status: "enabled" },
});

const parquet = () => join(folder, "*.parquet");

/** The decision for each event, from a printed expression over the Parquet file. */
async function decisions(expression: string): Promise<Map<string, string>> {
  const connection = await openDuckDb();
  const found = new Map<string, string>();
  for await (const rows of queryOf(connection)(
    `SELECT event_id, ${expression} FROM '${parquet()}'`,
  ))
    for (const [id, said] of rows) found.set(String(id), String(said));
  connection.closeSync();
  return found;
}

/** The decisions of the evaluator, with the rule when it decides for certain. */
function replayed(set: readonly Rule[]): Map<string, string> {
  const asked = set.map((rule) => {
    const checked = checkExpression(rule.expression);
    if (!checked.ok) throw new Error(checked.problems[0]?.message);
    const { expression } = checked;
    return { rule, expression, compiled: compileExpression(expression) };
  });
  const decide = decidePartly(asked);
  return new Map(
    events.map((one) => {
      const request = eventAsRuleRequest(one);
      const { result } = decide(request);
      for (const { rule, compiled } of asked) {
        if (rule.status === "disabled") continue;
        const found = compiled.evaluatePartly(request);
        if ("unknown" in found) break;
        if ("value" in found && found.value)
          return [one.event_id, `${result}: ${rule.name}`];
      }
      return [one.event_id, result];
    }),
  );
}

describe("devid rules sql", () => {
  it("prints SQL by which DuckDB decides as the replay does", async () => {
    const sets = fc.sample(rules(compound), { numRuns: 6, seed });
    const seen = new Set<string>();
    for (const [n, set] of sets.entries()) {
      const file = ruleFile(`${n}.json`, set);
      // Without a table, with a table, and with a mapping of the same columns.
      const from = [
        ["--dialect", "duckdb"],
        ["--events", `parquet:${parquet()}`],
        ["--dialect", "duckdb", "--mapping", mapping()],
      ][n % 3]!;
      const ran = await DevidProcess.run(["rules", "sql", file, ...from], {});
      expect(ran).toMatchObject({ code: 0 });
      const found = await decisions(ran.stdout);
      expect(found).toEqual(replayed(set));
      for (const decision of found.values())
        seen.add(decision.replace(/:.*/, ""));
    }
    expect([...seen].sort()).toEqual(["allow", "cannot tell", "deny"]);
  }, 60_000);

  it("prints the expressions for the result and for the rule separately as JSON", async () => {
    const file = ruleFile("one.json", [
      rule("http.user_agent.string startsWith 'curl/'"),
    ]);
    const args = ["rules", "sql", file, "--dialect", "trino", "--json"];
    const { stdout } = await DevidProcess.run(args, {});
    const { dialect, ...parts } = JSON.parse(stdout) as Record<string, string>;
    expect(dialect).toBe("trino");
    expect(Object.keys(parts)).toEqual([
      ...["version", "decision", "result", "rule"],
    ]);
  });

  it("names the rule and the part that an engine cannot express", async () => {
    const file = ruleFile("refused.json", [
      rule("http.user_agent.string matches '(\\\\b|x)bot'"),
    ]);
    const args = ["rules", "sql", file, "--dialect", "trino"];
    const ran = await DevidProcess.run(args, {});
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(
      /Writing rule "r" as SQL for trino failed: `http.user_agent.string matches/,
    );
  });

  it.each([
    [[], /For which engine/],
    [["--dialect", "duckdb", "--events", "parquet:x"], /leave --dialect out/],
    [["--dialect", "duckdb", "--max-query-time", "1s"], /add --events/],
    [["--dialect", "mysql"], /duckdb, clickhouse, trino/],
  ])("refuses %j", async (flags, why) => {
    const file = ruleFile("any.json", [rule("true")]);
    const ran = await DevidProcess.run(["rules", "sql", file, ...flags], {});
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(why);
  });

  it("prints no expression that reads differently in a log or shows a key", async () => {
    const key = "local-secret-us-of-this-test";
    const turned = ruleFile("turned.json", [
      rule("http.user_agent.string == 'a\u202eb'"),
    ]);
    const secret = ruleFile("secret.json", [
      rule(`http.user_agent.string == '${key}'`),
    ]);
    const sql = (file: string, ...more: string[]) =>
      DevidProcess.run(["rules", "sql", file, "--dialect", "duckdb", ...more], {
        DEVID_SECRET_KEY: key,
      });
    expect((await sql(turned)).stderr).toMatch(/--json prints/);
    expect((await sql(turned, "--json")).stdout).toContain("\\u202e");
    expect((await sql(secret)).stderr).toMatch(/--show-secrets/);
    expect((await sql(secret, "--show-secrets")).stdout).toContain(key);
  });
});

function mapping(): string {
  const path = join(folder, "mapping.yaml");
  writeFileSync(
    path,
    "columns: { origin: { json: event, path: origin }, user_agent: user_agent }\n",
  );
  return path;
}
