import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { DevidProcess, succeeded } from "../../devid-process";
import { CliFolder } from "../../cli-folder";

const folder = CliFolder.forEachTest("rules");
const run = (...args: string[]) => folder.run(args);
const file = (text: string) => folder.file("rules.yaml", text);

/** A name that every format must escape: markup, a runner's command, an emoji. */
const NAME = 'a <b> & "c" ::error::d %0A 😀,';

const FILE = `rules:
  - name: ${JSON.stringify(NAME)}
    expression: sdk.version matches '^3-'
    action: deny
  - name: shop
    expression: "any(http.request.headers['Origin'], # == 'shop.example')"
    action: deny
tests:
  - name: version 3 stays out
    request: { headers: {} }
    expect: deny
  - name: apps get in
    request: { headers: {}, sdkPlatform: ios }
    expect: allow
`;

interface SarifLog {
  readonly runs: readonly {
    readonly results: readonly {
      readonly ruleId: string;
      readonly level: string;
      readonly fixes?: readonly {
        readonly artifactChanges: readonly {
          readonly replacements: readonly {
            readonly deletedRegion: {
              readonly charOffset: number;
              readonly charLength: number;
            };
          }[];
        }[];
      }[];
    }[];
  }[];
}

it("--format sarif has the findings with their edits, with positions in characters", async () => {
  const { stdout } = await succeeded(
    run("check", file(FILE), "--format=sarif"),
  );
  const [log] = (JSON.parse(stdout) as SarifLog).runs;
  const results = log?.results ?? [];
  expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
    ["plain-regex", "note"],
    ["never-sent", "warning"],
  ]);
  const [region] = results.flatMap(({ fixes = [] }) =>
    fixes.flatMap(({ artifactChanges }) =>
      artifactChanges.flatMap(({ replacements }) =>
        replacements.map(({ deletedRegion }) => deletedRegion),
      ),
    ),
  );
  const { charOffset = 0, charLength = 0 } = region ?? {};
  const deleted = [...FILE].slice(charOffset, charOffset + charLength);
  expect(deleted.join("")).toBe("sdk.version matches '^3-'");
});

describe("--format github", () => {
  it("is one workflow command for each problem, for any text", async () => {
    const { stdout } = await run("check", file(FILE), "--format", "github");
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^::notice file=rules\.yaml,line=3,endLine=3,col=17,endColumn=42,title=plain-regex::"a <b> & "c" .*error.*%250A/,
    );
    expect(lines[1]).toMatch(/^::warning file=rules\.yaml,line=6,/);
  });

  it("escapes a text with a line separator, too", async () => {
    const text = FILE.replace("version 3 stays out", '"\\u2028\\e[2J"');
    const { stdout } = await run("test", file(text), "--format=github");
    expect(stdout).toContain('::"\\u2028\\u001b[2J": expected deny');
  });

  it("shows a failed test", async () => {
    const { code, stdout } = await run("test", file(FILE), "--format=github");
    expect(code).toBe(2);
    expect(stdout).toBe(
      '::error file=rules.yaml,line=11,endLine=11,col=13,endColumn=17,title=failed-test::"version 3 stays out": expected deny, got allow, for no rule matches\n',
    );
  });
});

it.each([
  ["check", 2, 2],
  ["test", 2, 1],
])(
  "--format junit of %s counts the tests and failures, and escapes texts",
  async (command, tests, failures) => {
    const { stdout } = await run(command, file(FILE), "--format", "junit");
    expect(XMLValidator.validate(stdout)).toBe(true);
    const parsed: unknown = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: "",
    }).parse(stdout);
    expect(parsed).toMatchObject({
      testsuites: { tests: String(tests), failures: String(failures) },
    });
    if (command === "check")
      expect(stdout).toContain("a &lt;b&gt; &amp; &quot;c&quot;");
  },
);

describe("devid rules check", () => {
  it("applies with --fix the fixes that keep the meaning, and changes nothing in a second run", async () => {
    const path = file(FILE);
    const first = await run("check", "--fix", path);
    expect(first.stdout).toContain("fixed rules.yaml plain-regex");
    expect(first.stdout).toContain("1 warning in 1 file; 1 fix applied.\n");
    const text = folder.read(path);
    expect(text).toBe(FILE.replace("matches '^3-'", "startsWith '3-'"));
    const second = await run("check", path, "--fix=all", "--json");
    expect(JSON.parse(second.stdout)).toMatchObject({
      fixed: [],
      findings: [{ code: "never-sent", keepsMeaning: false }],
    });
    expect(second.stderr).toSay("check/edit-not-asked");
    expect(folder.read(path)).toBe(text);
  });

  it("refuses to fix standard input", async () => {
    expect(await run("check", "-", "--fix")).toMatchObject({ code: 1 });
  });
});

const piped = async (args: readonly string[], text: string) => {
  const devid = DevidProcess.start(["rules", ...args], {}, "pipe");
  devid.child.stdin?.end(text);
  return { code: await devid.ended(), stdout: devid.stdout };
};

it("standard input is checked, and formatted to standard output", async () => {
  const { stdout } = await piped(["check", "-"], FILE);
  expect(stdout).toContain("<stdin>:3:17 note plain-regex");
  expect(
    await piped(
      ["fmt", "-"],
      FILE.replace("version matches", "version  matches"),
    ),
  ).toEqual({ code: 0, stdout: FILE });
  expect(
    await piped(["fmt", "--check", "-"], FILE.replace(" matches", "  matches")),
  ).toEqual({ code: 2, stdout: "<stdin>\n" });
});
