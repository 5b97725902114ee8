import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serviceAgrees } from "@devid/policy/policies";
import { checkPolicy } from "@devid/policy/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  answering,
  failure,
  type Answer,
} from "../sdk/server-api/secret-key-client";
import { inState, rule, UNKNOWN } from "./ask";
import { folderForEachTest } from "../helpers/test-folder";

const KEY = "warbler-management-key";
const IOS = rule("ios", "sdk.platform.is_ios");
const FILE = `rules:
  - { name: ios, expression: sdk.platform.is_ios, action: deny }
tests:
  - { name: a phone, request: { sdkPlatform: ios }, expect: deny }
  - { name: a page, request: { sdkPlatform: js, headers: { X-Key: ${KEY} } }, expect: allow }
`;

let folder: string;
folderForEachTest((path) => (folder = path));
let service: Awaited<ReturnType<typeof answering>>;

beforeEach(() => {
  vi.stubEnv("DEVID_MANAGEMENT_KEY", undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await service.close();
});

const file = (text = FILE, name = "rules.yaml") => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const decides = (result: string, triggered_rule: string | null): Answer => [
  200,
  { data: { result, deny_with: null, triggered_rule } },
];
const DENIED = decides("deny", IOS.expression);
const ALLOWED = decides("allow", null);

/** Asks about rules, and returns the violations and the advice of `not-checked`. */
async function judge(
  config: object,
  rules: unknown = inState(IOS),
  settings: Record<string, unknown> = {},
) {
  const provider = {
    "devid.Provider:endpoint": service.url,
    "devid.Provider:managementKey": KEY,
    "devid.Provider:requestsPerSecond": 1000,
    ...settings,
  };
  const asked = { inputs: { rules, environment: "ae_1" }, provider };
  const found = await checkPolicy(serviceAgrees, { ...asked, config });
  const plain = (texts: string[]) =>
    texts.map((text) => text.replaceAll(`${folder}/`, ""));
  return {
    violations: plain(found.violations),
    advice: plain(found.notChecked),
  };
}

const passes = { violations: [], advice: [] };

describe("the tests of the rule file with these rules", () => {
  it("pass if the service decides like devid", async () => {
    service = await answering(DENIED, ALLOWED);
    const found = await judge({ ruleFiles: [file()] });
    expect(found).toEqual(passes);
    expect(service.received.map(({ path }) => path)).toEqual([
      "/management/filtering-rules/test",
      "/management/filtering-rules/test",
    ]);
  });

  it("stop rules that the service decides differently, without printing a key", async () => {
    service = await answering(DENIED, DENIED);
    const { violations, advice } = await judge({ ruleFiles: [file()] });
    expect(violations).toSay("service-agrees/decides-differently");
    expect(advice).toEqual([]);
  });

  it("are found for rules in the form of a program, too", async () => {
    service = await answering(ALLOWED);
    const { violations } = await judge({ ruleFiles: [file()] }, [IOS]);
    expect(violations).toEqual([expect.stringContaining("✗ a phone\n")]);
  });

  it("are sent up to maxTests, and the rest is reported", async () => {
    service = await answering(DENIED);
    const { violations, advice } = await judge({
      ruleFiles: [file()],
      maxTests: 1,
    });
    expect(violations).toEqual([]);
    expect(advice).toEqual([
      "service-agrees: rules.yaml:\n  the service of region us decides 1 of 1 test alike, in 1 call\n  not asked, because only the first 1 are asked: a page",
    ]);
    expect(service.received).toHaveLength(1);
  });
});

describe("the service is not asked", () => {
  const nothing = async (
    config: object,
    rules?: unknown,
    settings?: Record<string, unknown>,
  ) => {
    service = await answering(DENIED);
    const found = await judge(config, rules, settings);
    expect(service.received).toEqual([]);
    return found;
  };

  it("without rule files, or about unknown rules", async () => {
    expect(await nothing({})).toEqual(passes);
    await service.close();
    const ruleFiles = [file()];
    expect(await nothing({ ruleFiles }, UNKNOWN)).toEqual(passes);
  });

  it.each<[string, Record<string, unknown>]>([
    ["without a key", { "devid.Provider:managementKey": undefined }],
    ["with a hidden key", { "devid.Provider:managementKey": "[secret]" }],
  ])("%s, and the advice says so", async (_, settings) => {
    const found = await nothing({ ruleFiles: [file()] }, undefined, settings);
    expect(found).toEqual({
      violations: [],
      advice: [expect.toSay("service-agrees/no-management-key")],
    });
  });

  it("about rules that no file has, or about a file without tests", async () => {
    const other = inState({ ...IOS, action: "allow" });
    expect(await nothing({ ruleFiles: [file()] }, other)).toEqual({
      violations: [],
      advice: [expect.toSay("service-agrees/no-file-of-these-rules")],
    });
    await service.close();
    const [rules = ""] = FILE.split("tests:");
    expect(await nothing({ ruleFiles: [file(rules)] })).toEqual({
      violations: [],
      advice: [expect.toSay("service-agrees/no-tests")],
    });
  });

  it("about a file that cannot be read, and this is a violation", async () => {
    const ruleFiles = [join(folder, "none.yaml"), file("rules: 1", "bad.yaml")];
    const { violations } = await nothing({ ruleFiles });
    expect(violations).toEqual([
      "Could not be checked: none.yaml: there is no such file",
      expect.stringMatching(/^Could not be checked: bad\.yaml: [^]*rules:/),
    ]);
  });

  it("about a relative path, unless the configuration is in a file next to it", async () => {
    file();
    const config = { ruleFiles: ["rules.yaml"] };
    expect((await nothing(config)).violations).toEqual([
      expect.stringContaining("must hold absolute paths"),
    ]);
    await service.close();
    service = await answering(DENIED, ALLOWED);
    vi.stubEnv("DEVID_POLICY_CONFIG", join(folder, "policies.json"));
    expect(await judge(config)).toEqual(passes);
    expect(service.received).toHaveLength(2);
  });
});

describe("a service without an answer", () => {
  it("is a violation if it refuses", async () => {
    service = await answering([401, failure("unauthorized")]);
    const { violations } = await judge({ ruleFiles: [file()] });
    expect(violations).toEqual([
      expect.stringMatching(/^Could not be checked: Testing filtering .* 401/),
    ]);
    expect(violations.join()).not.toContain(KEY);
  });

  it("is a violation if it is unreachable, or advice if configured", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    service = await answering(DENIED);
    const nowhere = { "devid.Provider:endpoint": "http://127.0.0.1:9" };
    const ruleFiles = [file()];
    const { violations } = await judge({ ruleFiles }, undefined, nowhere);
    expect(violations).toEqual([
      expect.stringContaining("because the service is unreachable or failing:"),
    ]);
    const advise = { ruleFiles, whenUnreachable: "advise" };
    const advised = await judge(advise, undefined, nowhere);
    expect(advised).toEqual({
      violations: [],
      advice: [
        expect.stringContaining("service-agrees: not checked: service unr"),
      ],
    });
  });
});
