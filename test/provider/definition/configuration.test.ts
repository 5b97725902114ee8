import {
  configurationOf,
  optionsFromEnvironment,
  SETTING_NAMES,
} from "@devid/sdk";
import { expect, it } from "vitest";
import {
  PROVIDER_SETTINGS,
  ProviderConfiguration,
  secretSettings,
  settingMeta,
} from "../../../provider/src/definition/configuration";

it("the settings of a provider are the settings that the SDK reads, in the same order, and those of resources", () => {
  expect(PROVIDER_SETTINGS).toEqual([...SETTING_NAMES, "adopt", "overrides"]);
});

it("the defaults of the settings are the defaults of the SDK", () => {
  const defaults = ProviderConfiguration.parse({});
  expect(configurationOf(optionsFromEnvironment([], {}))).toMatchObject(
    defaults,
  );
});

it("each setting has a description, and settings that hold for one region are marked", () => {
  for (const name of PROVIDER_SETTINGS)
    expect(ProviderConfiguration.shape[name].description, name).toMatch(/\.$/);
  expect(secretSettings()).toEqual(["managementKey", "secretKey"]);
  const regional = SETTING_NAMES.filter((name) => settingMeta(name).regional);
  expect(regional).toEqual(["managementKey", "secretKey", "eventsUrl"]);
});
