import {
  configurationOf,
  missingManagementKey,
  optionsFromEnvironment,
} from "@devid/sdk";
import { describe, expect, it } from "vitest";
import { settingSources } from "../../../provider/src/definition/setting-sources";

function configuration(
  values: Record<string, string>,
  env: Record<string, string> = {},
) {
  return configurationOf(
    optionsFromEnvironment(
      settingSources((key) => values[key]),
      env,
    ),
  );
}

/** The management key that the provider uses, and where it was found. */
function keyOf(values: Record<string, string>, env: Record<string, string>) {
  const options = optionsFromEnvironment(
    settingSources((key) => values[key]),
    env,
  );
  return [options.managementKey, configurationOf(options).managementKey?.from];
}

describe("settings of a provider", () => {
  const everywhere = {
    "devid.Provider:managementKey": "of-the-argument",
    "devid:managementKey": "of-the-stack",
  };
  const env = { DEVID_MANAGEMENT_KEY: "of-the-environment" };

  it("come from its arguments, then from stack config, then from the environment", () => {
    const { "devid.Provider:managementKey": _, ...stack } = everywhere;
    expect(keyOf(everywhere, env)).toEqual([
      "of-the-argument",
      "devid.Provider argument managementKey",
    ]);
    expect(keyOf(stack, env)).toEqual([
      "of-the-stack",
      "stack config devid:managementKey",
    ]);
    expect(keyOf({}, env)).toEqual([
      "of-the-environment",
      "environment DEVID_MANAGEMENT_KEY",
    ]);
  });

  it("that are missing are reported with the places, in order", () => {
    const found = configuration({ "devid:region": "ap" });
    expect(found.managementKey).toBeUndefined();
    expect(found.originOf("managementKey")?.places).toEqual([
      "devid.Provider argument managementKey",
      "stack config devid:managementKey",
      "environment DEVID_MANAGEMENT_KEY_AP, then DEVID_MANAGEMENT_KEY",
    ]);
    expect(missingManagementKey(found)).toSay(
      "config/missing-management-key-of-a-stack",
    );
  });

  it("do not name stack config as a place for a key when it cannot be read", () => {
    const unreadable = "It cannot be read here.";
    const found = configurationOf(
      optionsFromEnvironment(
        settingSources(() => undefined, { unreadable }),
        {},
      ),
    );
    expect(missingManagementKey(found)).toSay(
      "config/missing-management-key-without-stack-config",
    );
    expect(found.originOf("region")?.places).toContain(
      "stack config devid:region",
    );
  });
});
