import {
  checkRuleFile,
  describeLint,
  LINTS,
  lintRules,
  type Rule,
} from "@devid/rules";
import { describe, expect, it } from "vitest";
import { KNOWN_USER_AGENTS } from "../../../rules/src/language/request/known-user-agents";
import { cellsOf } from "../../helpers/cells-of";
import { rulesOf } from "./rules";

const ORIGIN = "http.request.headers['Origin']";

/** The findings of lint, as `rule code`. */
const said = (...rules: string[]) =>
  lintRules(rulesOf(...rules)).map(({ rule, code }) => `${rule} ${code}`);

describe.each(LINTS.map((lint) => [lint.code, lint] as const))(
  "%s",
  (code, lint) => {
    const { severity, example } = lint;

    it("is reported for its bad example", () => {
      const rules = example.map((rule): Rule => ({
        status: "enabled",
        ...rule,
      }));
      const found = lintRules(rules);
      expect(found).toContainEqual(
        expect.objectContaining({ code, severity }) as unknown,
      );
    });

    it("is not reported for its good example, nor is any other lint", () => {
      const { fixed } = describeLint(lint);
      expect(checkRuleFile(fixed, "rules.yaml")).toEqual([]);
    });
  },
);

/** A condition of a rule that allows, and what to write instead. */
const CURED = `
${ORIGIN}[0] == 'http://::1:3000' | write 'http://[::1]:3000'
${ORIGIN}[0] matches '^https://.*shop\\\\.example$' | write '^https://(?:[a-z0-9-]+\\\\.)*shop\\\\.example$'
'https://shop.example' in http.request.headers | compare it with the values of a header: 'https://shop.example' in ${ORIGIN}
sdk.version contains '2.' | write (sdk.version == '2' || sdk.version startsWith '2.')
${ORIGIN}[0] matches '//pay.example' | write '^https://pay\\\\.example$'
any(${ORIGIN}, # == '*.Shop.example:443') | write (# startsWith 'https://' && # endsWith '.shop.example')
any(${ORIGIN}, # == 'https://*.shop.example/*') | write (# startsWith 'https://' && # endsWith '.shop.example')
any(${ORIGIN}, # endsWith '*.shop.example/') | write '.shop.example'
sdk.platform.name == 'null' | write one of these: 'js', 'android', 'ios', 'unknown'
`;

it.each(cellsOf(CURED))("advice cures %s: %s", (expression, fix) => {
  const [finding] = lintRules(rulesOf(`allow ${expression}`, "deny true"));
  expect(finding?.fix).toBe(fix);
});

it("other-clients finds a condition in a comment of a folded block, which ends in a line break", () => {
  const ai = "http.user_agent.is_ai_bot // none";
  expect(said(`deny ${ai} || sdk.platform.is_ios\n`)).toEqual([
    "a other-clients",
  ]);
});

it("never-sent says of no version that a client sends that it is an old one", () => {
  const products = KNOWN_USER_AGENTS.flatMap(
    ({ userAgent }) => userAgent.match(/[\w-]+\/[\w.]+/g) ?? [],
  );
  const found = lintRules(
    [...new Set(products)].map((product) => ({
      ...{ name: product, action: "deny", status: "enabled" },
      expression: `http.user_agent.string contains '${product}'`,
    })),
  );
  expect(found.map(({ message }) => message)).not.toContainEqual(
    expect.stringContaining("another version now"),
  );
});

it("missing-header is reported whatever a later rule asks for, if it may deny the request", () => {
  const allow = `allow all(${ORIGIN}, # == 'https://shop.example')`;
  for (const later of [
    "deny true",
    "deny sdk.platform.is_browser",
    "deny http.user_agent.string contains 'curl' && sdk.version == '3.9.1'",
  ])
    expect(said(allow, later)).toContain("a missing-header");
  expect(said(allow, "deny 'Origin' in http.request.headers")).not.toContain(
    "a missing-header",
  );
});

describe("may-fail", () => {
  const is = `${ORIGIN}[0] == 'https://a.example'`;
  const isNot = is.replace("==", "!=");

  /** What is tried, rules, and what is done with a request without the header. */
  const FAILING = `
deny with != | deny {not} | gets through
deny with ! | deny !({is}) | gets through
deny with another condition that may hold | deny {is} || sdk.version == '1.0.0' | gets through
a disabled rule | deny off {not} | gets through
allow with != | allow {not} ; deny true | is denied
before a rule that denies only a part of it | deny {not} ; deny sdk.platform.is_ios | gets through
a header that was sent has a value | deny 'Origin' in http.request.headers && {not} ; deny {origin} == nil || {not} ; allow true
the next rules decide the same | deny {not} ; allow {is} ; deny true
`
    .replaceAll("{not}", isNot)
    .replaceAll("{is}", is)
    .replaceAll("{origin}", ORIGIN);

  it.each(cellsOf(FAILING))("of %s: %s: %s", (_, rules = "", decided) => {
    const found = lintRules(rulesOf(...rules.split(" ; ")))
      .filter(({ code }) => code === "may-fail")
      .map(({ severity, message }) => `${severity}: ${message}`);
    const failing =
      "warning: a request without the header Origin makes this fail";
    expect(found).toEqual(decided ? [`${failing}, and ${decided}`] : []);
  });

  it("offers a guard if the guard provably changes no decision", () => {
    const fixesOf = (rule: string) =>
      lintRules(rulesOf(rule)).map(
        ({ fix }) =>
          /^to change no decision, (.*); if it should be denied, /.exec(
            fix,
          )?.[1],
      );
    expect(fixesOf(`deny ${isNot}`)).toEqual([
      `write len(${ORIGIN}) > 0 && ${isNot}`,
    ]);
    expect(fixesOf(`deny sdk.version == '1.0.0' && !(${is})`)).toEqual([
      `write len(${ORIGIN}) > 0 && (sdk.version == '1.0.0' && !(${is}))`,
    ]);
    expect(fixesOf(`deny sdk.version == '1.0.0' || !(${is})`)).toEqual([
      `ask for len(${ORIGIN}) > 0 before it is read`,
    ]);
  });
});

/** What is tried, rules with `;` between them, and what is said about them. */
const SAID = `
a disabled rule allows nobody | allow off true ; deny {ios}
disabled rules repeat nothing | deny off {ios} ; deny {ios} ; deny off {ios}
a disabled rule denies nobody | allow {ios} ; deny off true | a changes-nothing
a disabled rule is looked at, too | deny off {never} | a all-disabled | a never-matches
an invalid rule behind may decide | deny {not} ; deny x
an invalid rule in front may decide | deny x ; deny {not}
an invalid rule that is disabled decides nothing | deny off x ; deny {not} | b may-fail
rule a may match what c matches, but b shadows c anyway | deny x ; allow true ; deny {ios} | c unreachable
two allow rules, one invalid | allow {ios} ; allow x
only a disabled rule could deny | allow {ios} ; deny off x | a changes-nothing
an invalid rule may allow | deny {ios} ; deny !{ios} ; allow x
an invalid rule denies, if anything | deny x ; deny {ios} ; deny !{ios} | c deny-all
the nearest reason of two | allow true ; deny {ios} ; allow {ios} | b unreachable | c unreachable
one reason for equal rules | deny {ios} ; allow ({ios}) | b unreachable
one reason for a narrower rule | deny {ios} ; allow {ios} && sdk.version == '' | b unreachable
an allow rule within a later one | allow {net}('20.1.0.0/16') ; allow {net}('20.0.0.0/8') ; deny true | a network | a changes-nothing | b network
an allow rule behind one for all | allow true ; allow {ios} | a changes-nothing | b unreachable
what c denies is denied by a before | deny {ios} && {one} ; allow {ios} ; deny {one} && {ios} | b changes-nothing | c unreachable
such texts exist, but the solver does not find one | deny sdk.version matches '^[ab]{9}$' && sdk.version not matches 'aa|bb'
findings in the order of the rules | allow sdk.platform.name matches '^js' ; deny true ; deny {never} | a plain-regex | c never-matches
`
  .replaceAll("{ios}", "sdk.platform.is_ios")
  .replaceAll("{net}", "http.request.ip in cidr")
  .replaceAll("{not}", `${ORIGIN}[0] != 'https://a.example'`)
  .replaceAll("{never}", "{one} && sdk.version == '2.0.0'")
  .replaceAll("{one}", "sdk.version == '1.0.0'");

describe("lint", () => {
  it.each(cellsOf(SAID))("%s: %s", (_, rules = "", ...findings) => {
    expect(said(...rules.split(" ; "))).toEqual(findings);
  });

  it("names the earlier rules that a rule covers", () => {
    const found = lintRules(
      rulesOf(
        "deny sdk.version == '1.0.0'",
        "deny sdk.platform.is_ios",
        "deny http.user_agent.is_ai_bot",
        "allow sdk.platform.is_android",
        "deny sdk.platform.is_ios || sdk.platform.is_android",
      ),
    );
    expect(found.map(({ rule, others }) => [rule, others])).toContainEqual([
      "e",
      ["b", "d"],
    ]);
  });

  it("uses the given limit of the account", () => {
    const rules = rulesOf(
      "deny sdk.version == '1.0.0'",
      "deny off sdk.version == '2.0.0'",
    );
    expect(lintRules(rules, { maxRules: 2 })).toEqual([]);
    expect(lintRules(rules, { maxRules: 1 })).toMatchObject([
      { code: "too-many-rules", rule: "b", index: 1 },
    ]);
  });
});

describe("the name of a header", () => {
  const about = (expression: string) =>
    lintRules(rulesOf(`deny ${expression}`)).map(
      ({ severity, code, message, fix }) => [
        `${severity} ${code}`,
        // Behind it, the request that shows it.
        message.split(";")[0],
        fix,
      ],
    );

  it.each([
    ["any(http.request.headers['origin'], true)", "'origin'", "Origin"],
    ["any(http.request.headers['X-FOO'], true)", "'X-FOO'", "X-Foo"],
    ["any(http.request.headers.referer, true)", "'referer'", "Referer"],
    ["'Sec-CH-UA' in http.request.headers", "'Sec-CH-UA'", "Sec-Ch-Ua"],
    ["'X_Foo' in http.request.headers", "'X_Foo'", "X_foo"],
    ["'origin: ' in http.request.headers", "'origin: '", "Origin"],
    // Every object of JavaScript has these.
    ["'constructor' in http.request.headers", "'constructor'", "Constructor"],
    ["len(http.request.headers.toString) > 0", "'toString'", "Tostring"],
    // The header's name is the cause of every other finding.
    ["'origin' not in http.request.headers || true", "'origin'", "Origin"],
    ["http.request.headers['referer'][0] != 'a'", "'referer'", "Referer"],
  ])(
    "in %s is reported as an error, with the right name",
    (expression, name, right) => {
      const errors = about(expression).filter(
        ([code]) =>
          code !== "error deny-all" && code !== "warning constant-condition",
      );
      expect(errors).toEqual([
        [
          "error header-name",
          `rules see this header as ${right}, so ${name} is never found`,
          `write ${right}`,
        ],
      ]);
    },
  );

  it.each(["''", "'two words'", "'Origin/1'"])("cannot be %s", (name) => {
    expect(about(`${name} in http.request.headers`)).toEqual([
      [
        "error header-name",
        `no header can be called ${name}, so it is never found`,
        "write the name of a header, such as Origin",
      ],
    ]);
  });

  it("that no request has can make a rule deny everybody", () => {
    expect(
      about("'origin' not in http.request.headers").map(([code]) => code),
    ).toEqual(["error deny-all", "error header-name"]);
  });

  it("is right if it is spelt like in the service", () => {
    const names = ["Origin", "User-Agent", "Sec-Ch-Ua", "X-2fa", "Dnt", "-A"];
    for (const name of names)
      expect([name, about(`'${name}' in http.request.headers`)]).toEqual([
        name,
        [],
      ]);
  });
});

describe("matches-others", () => {
  const allowed = (text: string) =>
    said(`allow http.user_agent.string contains '${text}'`, "deny true");

  it("names Edge for the name of another browser", () => {
    expect(allowed("Chrome/")).toEqual(["a matches-others"]);
  });

  it.each(["Windows NT", "Mozilla/5.0", "AppleWebKit/537.36"])(
    "does not take %s for the name of a browser",
    (text) => {
      expect(allowed(text)).toEqual([]);
    },
  );
});

const REFERER = "http.request.headers['Referer']";

describe("never-sent", () => {
  it.each([
    [ORIGIN, "startsWith 'http://'"],
    [ORIGIN, "startsWith 'https://www.shop.'"],
    [ORIGIN, "contains 'https://www.shop.'"],
    [REFERER, "startsWith 'http://'"],
  ])("says nothing of the beginning of an address: %s %s", (list, test) => {
    expect(said(`deny any(${list} ?? [], # ${test})`)).toEqual([]);
  });

  it.each([
    [ORIGIN, "== 'shop.example.'", "https://shop.example"],
    [ORIGIN, "startsWith 'http://shop.example'", "https://shop.example"],
    [REFERER, "== 'https://shop.example'", "https://shop.example/"],
    [REFERER, "endsWith 'shop.example'", "https://shop.example/"],
    [REFERER, "startsWith 'http://shop.example'", "https://shop.example/"],
    [REFERER, "== '/cart'", "https://shop.example/cart"],
    [REFERER, "startsWith '/cart'", "https://shop.example/cart"],
    [REFERER, "== '?from=app'", "https://shop.example/?from=app"],
  ])("shows an address that browsers send: %s %s", (list, test, value) => {
    const [finding] = lintRules(rulesOf(`deny any(${list} ?? [], # ${test})`));
    expect(finding?.code).toBe("never-sent");
    expect(Object.values(finding?.request?.headers ?? {})).toEqual([[value]]);
  });
});

it("gives findings that can be written as JSON", () => {
  const found = lintRules(
    rulesOf(
      `deny len(${ORIGIN} ?? []) == 1 || len(${ORIGIN} ?? []) == 1`,
      "deny !(len(sdk.version) > 3) && sdk.version matches '^js'",
    ),
  );
  expect(found.flatMap(({ edits = [] }) => edits)).not.toEqual([]);
  expect(JSON.parse(JSON.stringify(found))).toEqual(found);
});

describe("constant-condition", () => {
  const A = "http.request.headers['X-A'] ?? []";
  const B = "http.request.headers['X-B'] ?? []";
  it.each([
    `count(${A}, # == 'a') == count(${B}, # == 'b')`,
    `count(${A}, # == 'a') != count(${A}, # == 'b')`,
    `len(filter(${A}, # == 'a')) < count(${B}, # == 'b')`,
    `any(${ORIGIN} ?? [], count([#], # == 'a') == 1) && any(${A}, count([#], # == 'a') == 0)`,
    `any(${ORIGIN} ?? [], any([#, 'b'], # == 'a') && # != 'b') && any(${ORIGIN} ?? [], any(['b'], # == 'b'))`,
    `len(http.request.headers) == 1 && 'X-A' in http.request.headers && count(${A}, # == 'a') > 0`,
    `len(http.request.headers['X-Some-0'] ?? []) == 2 && count(${A}, # == 'a') == 1`,
  ])("says nothing of numbers that differ: %s", (expression) => {
    expect(said(`deny sdk.version == '1' && (${expression})`)).not.toContain(
      "a constant-condition",
    );
  });

  it("knows that a number is itself", () => {
    const number = `count(${A}, # == 'a')`;
    expect(said(`deny sdk.version == '1' && ${number} < ${number}`)).toEqual([
      "a constant-condition",
    ]);
  });
});
