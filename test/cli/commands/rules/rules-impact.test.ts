import type { Impact } from "@devid/review/replay";
import { beforeAll, describe, expect, it } from "vitest";
import { cellsOf } from "../../../helpers/cells-of";
import { LocalWorkspace } from "../../../helpers/local-workspace";
import { openForTests } from "../../../helpers/open-for-tests";
import { CURL, CliFolder } from "../../cli-folder";
import {
  previewOutput,
  ruleSetArgs,
  UNKNOWN,
} from "../../sources/review/preview-output";
import { failed, succeeded } from "../../devid-process";
import { rule } from "../../../rules/diff/rule";

const HOUR = 3_600_000;
const WGET = rule("wget", "http.user_agent.string startsWith 'Wget/'");
const KEYED = rule("keyed", "'X-Api-Key' in http.request.headers");

const workspace = openForTests(new LocalWorkspace());
const folder = CliFolder.forTests("rules impact", workspace);
let environment: string;
let now: number;

beforeAll(async () => {
  ({ environment } = workspace.service.workspaces.us);
  await workspace.enforce([WGET]);
  await workspace.newEnvironment("Staging");
  now = Date.now();
  const agents = ["curl/8", "Wget/1", "Mozilla/5.0", "Mozilla/5.0"];
  await workspace.control(
    "/us/events",
    Array.from({ length: 600 }, (_, n) => ({
      event_id: `e${n}`,
      timestamp: now - 47 * HOUR + n * 4 * 60_000,
      user_agent: agents[n % 4],
      linked_id: n % 8 === 0 ? "\u001b[31m@somebody" : "user",
    })),
  );
});

const rules = (...all: readonly object[]): string =>
  folder.file(`${all.length}-${JSON.stringify(all).length}.json`, {
    rules: all,
  });

const run = folder.run.bind(folder);

async function impactOf(...args: string[]): Promise<Impact> {
  const { stdout, stderr } = await run([...args, "--json"]);
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Impact;
}

const at = (hours: number) => String(now - hours * HOUR);

describe("devid rules impact", () => {
  it("exits with 2 and reports what happens to the events of a day", async () => {
    const range = ["--since", at(47), "--until", at(27)];
    const { code, stdout, stderr } = await run([rules(CURL), ...range]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(stdout).toContain(`live (Default, ${environment}) ->`);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      `.json on past events of Default (${environment}) `,
    );
    expect(stdout).toMatch(/^newly denied +\S+ +75 +25%$/m);
    expect(stdout).toMatch(/^newly allowed +\S+ +75 +25%$/m);
    expect(stdout).toMatch(/^wget +deny \(gone\) /m);
    const isLong = (line: string) => line.length > 80;
    expect(stdout.split("\n").filter(isLong)).toEqual([]);
    expect(stdout).toContain("\\u{1b}[31m@somebody");
    expect(stdout).not.toContain("\u001b");
  });

  it("exits with 2 when an event may be newly denied, and with 0 when no event may be", async () => {
    const file = rules(WGET, KEYED);
    const range = ["--since", at(47), "--until", at(27)];
    const { code, stdout } = await run([file, ...range]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^cannot tell +\S+ +\d+ +\d+(\.\d)?%$/m);
    expect(stdout).toMatch(/http\.request\.headers\['X-Api-Key'\]\s\(\d+/);
    expect(stdout).toContain("up to 225 (75%)");
    const known = [...range, "--assume-not-sent", "x-api-key"];
    const judged = await succeeded(run([file, ...known]));
    expect(judged.stdout).toMatch(/^Assumed not sent.*: X-Api-Key\.$/m);
    const wrong = await run([file, "--assume-not-sent", "X Api"]);
    expect(wrong.stderr).toContain("It has to be the name of a header");
  });

  it("reads all events when that fits into --within, and else says which part it read", async () => {
    const range = [rules(CURL), "--since", at(48), "--until", at(0)];
    expect((await impactOf(...range, "--within", "10m")).events).toBe(600);
    const short = await run([...range, "--within", "1ms"]);
    expect(short).toMatchObject({ code: 2, stderr: "" });
    expect(short.stdout).toMatch(/^600 events from /m);
  });

  it("hides keys in text and JSON, unless --show-secrets is given", async () => {
    const key = "q7Rw2Lx9Kp4Tz8Vb3Nc6Md1Fg5Hj0QsA";
    const named = { ...CURL, name: key };
    const file = rules({ ...named, name: `a-${key}` });
    const since = ["--since", at(48), "--until", at(0)];
    for (const format of ["text", "json"]) {
      const args = [file, ...since, "--format", format];
      const { stdout } = await run(args);
      expect(stdout).toContain("[redacted]");
      expect(stdout).not.toContain(key);
    }
    const shown = await run([file, ...since, "--show-secrets"]);
    expect(shown.stdout).toContain(key);
  });

  it("replays the rules of a preview on the events of its environment", async () => {
    const preview = (environment: string) => {
      const text = previewOutput({
        op: "create",
        name: "rules",
        after: ruleSetArgs([CURL], { environment }),
      });
      return folder.file("preview.json", text);
    };
    const range = ["--since", at(48), "--until", at(0)];
    const all = await workspace.list("environments");
    const staging = all.find(({ name }) => name === "Staging")?.id as string;
    const other = await impactOf(preview(staging), ...range);
    expect(other.events).toBe(0);
    const named = [...range, "--environment", environment];
    expect((await impactOf(preview(staging), ...named)).events).toBe(600);
    expect(await failed(run([preview(UNKNOWN), ...range]))).toSay(
      "impact/environment-is-new",
    );
  });

  it("reads exactly the whole range, page by page", async () => {
    const file = rules(CURL, WGET);
    const all = ["--since", at(48), "--until", at(0)];
    expect(await impactOf(file, ...all)).toMatchObject({
      version: 1,
      a: `live (Default, ${environment})`,
      b: file,
      environment: `Default (${environment})`,
      events: 600,
      total: {
        newlyDenied: { value: 150 },
        newlyAllowed: { value: 0 },
        unchanged: { value: 450 },
        cannotTell: { value: 0 },
      },
    });
    const later = await impactOf(file, "--since", at(37), "--until", at(27));
    expect(later.events).toBe(150);
    expect(later.range.start).toBe(new Date(now - 37 * HOUR).toISOString());
  });

  it("compares with a file, and cannot observe newly allowed events", async () => {
    const { code, stdout } = await run([rules(CURL), "--base", rules()]);
    expect(code).toBe(2);
    expect(stdout).toContain("Newly allowed events are not observable");
  });

  it("reads the environment with the given name, also for events", async () => {
    const args = [rules(CURL), "--environment", "Staging"];
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^live \(Staging, ae_\w+\) ->/);
    expect(stdout).toContain("\n0 events from ");
    expect(stderr).toContain("No past event was replayed");
    expect(stderr).toMatch(/A secret key that is limited to an environment/);
    const base = ["--base", rules(WGET)];
    expect((await impactOf(...args, ...base)).events).toBe(0);
  });

  it("without events, exits with 0 only when the change provably changes nothing", async () => {
    const empty = ["--environment", "Staging", "--base", rules(CURL)];
    expect(await run([rules(CURL), ...empty])).toMatchObject({ code: 0 });
    expect(await run([rules(KEYED), ...empty])).toMatchObject({ code: 2 });
  });

  it("needs no management key for a file and the ID of an environment", async () => {
    const base = [rules(CURL), "--base", rules(WGET), "--json"];
    const keyless = (named: string) =>
      run([...base, "--environment", named], { DEVID_MANAGEMENT_KEY: "" });
    const ofId = await keyless(environment);
    expect((JSON.parse(ofId.stdout) as Impact).events).toBeGreaterThan(250);
    expect(await failed(keyless("Staging"))).toContain(
      "needs a management key",
    );
  });

  it("estimates from a sample", async () => {
    const args = [rules(CURL, WGET), "--since", at(48), "--sample", "100"];
    const { events, sample, total } = await impactOf(...args);
    expect(events).toBeLessThan(300);
    expect(sample?.confidence).toBe(0.95);
    expect(total.newlyDenied.low).toBeLessThan(total.newlyDenied.value);
    const { code, stdout } = await run(args);
    expect(code).toBe(2);
    expect(stdout).toMatch(/A sample of \d+ events of about [\d,]+ \(/);
  });

  it("prints Markdown", async () => {
    const { stdout } = await run([rules(CURL), "--format", "markdown"]);
    expect(stdout).toContain(`\`live (Default, ${environment})\` -> `);
    expect(stdout).toContain("| `curl` | deny (new) | 0 |");
    expect(stdout).toContain("`\\u{1b}[31m@somebody` ");
  });

  it("reads the events of the last day without other words", async () => {
    const { range } = await impactOf(rules(CURL));
    const lengthMs = Date.parse(range.end) - Date.parse(range.start);
    expect(Math.abs(lengthMs - 24 * HOUR)).toBeLessThan(HOUR / 2);
  });
});

describe("devid rules impact fails", () => {
  /** What is wrong, the flags, the message, and the expression of the rule if it is wrong. */
  const WRONG = `
with a range that begins before the events that the workspace keeps | --since 100d | more than 90 days ago
with a range that ends before it starts | --until 25h | There is no time between --since,
with a sample that is too small | --sample 5 | It has to be a whole number of at least 100.
with a base that is neither a file nor a git ref | --base main | "main" is not a file, and as a git ref it cannot be looked up
with a mistake in a rule, before any request | --base live | The rule file is not valid | http.user_agnt
`;

  it.each(cellsOf(WRONG))("%s", async (...row) => {
    const [, flags = "", message = "", expression = CURL.expression] = row;
    const file = rules({ ...CURL, expression });
    const { code, stdout, stderr } = await run([file, ...flags.split(" ")]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("without a secret key", async () => {
    expect(
      await failed(run([rules(CURL)], { DEVID_SECRET_KEY: "" })),
    ).toContain("DEVID_SECRET_KEY");
  });
});
