import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  denyBlastRadius,
  noDenyAll,
  POLICIES,
  publicKeyHasRateLimit,
} from "@devid/policy/policies";
import { describe, expect, it } from "vitest";
import { cellsOf } from "../helpers/cells-of";
import { configurationFile } from "../../policy/src/configuration-file";
import { ask } from "./ask";
import { folderForEachTest } from "../helpers/test-folder";

const STACK = "pulumi:pulumi:Stack";

describe("a misspelt setting", () => {
  it("is reported in one sentence, once for each run, before any resource", async () => {
    const config = { maxPercnt: 5 };
    expect(await ask(denyBlastRadius, { type: STACK, config })).toEqual([
      "Policy deny-blast-radius has no setting maxPercnt: did you mean maxPercent?",
    ]);
    expect(await ask(denyBlastRadius, { config })).toEqual([]);
  });

  it.each([
    [denyBlastRadius, { Hours: 5 }, "did you mean hours?"],
    [denyBlastRadius, { maxevent: 5 }, "did you mean maxEvents?"],
    [
      denyBlastRadius,
      { threshold: 5 },
      "there are hours, maxPercent, maxEvents, minEvents, maxUndeterminedPercent, assumeNotSent, whenUnreachable.",
    ],
    [noDenyAll, { max: 5 }, "it takes none."],
  ])(
    "comes with a suggestion or the known settings: %#",
    async (policy, config, said) => {
      expect(await ask(policy, { type: STACK, config })).toEqual([
        `Policy ${policy.name} has no setting ${Object.keys(config).join()}: ${said}`,
      ]);
    },
  );

  it("is reported next to a second one", async () => {
    const config = { minEvent: 5, maxEvent: 5 };
    expect(await ask(denyBlastRadius, { type: STACK, config })).toHaveLength(2);
  });
});

it("a value of the wrong type is reported with the right type", async () => {
  const config = { max: "many" };
  expect(await ask(publicKeyHasRateLimit, { type: STACK, config })).toEqual([
    expect.stringMatching(
      /^Setting max of policy public-key-has-rate-limit is not valid: .*expected number/,
    ),
  ]);
});

describe("the file of DEVID_POLICY_CONFIG", () => {
  let folder: string;
  folderForEachTest((path) => (folder = path));

  const read = (text: string) => {
    const path = join(folder, "policies.json");
    writeFileSync(path, text);
    return configurationFile(POLICIES, { DEVID_POLICY_CONFIG: path });
  };

  it("is the configuration of the pack", () => {
    const config = {
      all: "advisory",
      "max-rules": { max: 40, enforcementLevel: "mandatory" },
      "encryption-key-protected": "disabled",
    };
    for (const mark of ["", "\ufeff"])
      expect(read(mark + JSON.stringify(config))).toEqual(config);
    expect(configurationFile(POLICIES, {})).toBeUndefined();
  });

  const REFUSED = `
{"deny-blast-radios": {"maxPercent": 5}} | There is no policy deny-blast-radios: did you mean deny-blast-radius?
{"blast": "disabled"} | There is no policy blast: there are webhook-https-and-verified,
{"deny-blast-radius": {"maxPercnt": 5}} | Policy deny-blast-radius has no setting maxPercnt: did you mean maxPercent?
{"max-rules": "mandatry"} | Policy max-rules cannot have the enforcement level mandatry: there are advisory, mandatory, remediate, disabled.
{"max-rules": 5} | must hold an object with an enforcement level
[] | must hold an object
{ | is not JSON:
`;

  it.each(cellsOf(REFUSED))("%s is refused with: %s", (text = "", said) => {
    expect(() => read(text)).toThrow(said);
    expect(() => read(text)).toThrow(join(folder, "policies.json"));
  });

  it("must exist and have an absolute path", () => {
    const at = (path: string) => () =>
      configurationFile(POLICIES, { DEVID_POLICY_CONFIG: path });
    expect(at("policies.json")).toSay("policy/path-not-absolute");
    expect(at(join(folder, "none.json"))).toThrow("cannot be read: ");
  });
});
