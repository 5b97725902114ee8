import {
  configurationOf,
  optionsFromEnvironment,
  SETTING_NAMES,
} from "@devid/sdk";
import { expect, it } from "vitest";
import {
  ProviderConfiguration,
  secretSettings,
  settingMeta,
} from "../../../provider/src/definition/configuration";

it("the settings of a provider are those that the SDK reads, in its order", () => {
  expect(Object.keys(ProviderConfiguration.shape)).toEqual([...SETTING_NAMES]);
});

it("their defaults are those that the SDK takes", () => {
  const defaults = ProviderConfiguration.parse({});
  expect(configurationOf(optionsFromEnvironment([], {}))).toMatchObject(
    defaults,
  );
});

it("each says what it is, and what belongs to a region is marked", () => {
  for (const name of SETTING_NAMES)
    expect(ProviderConfiguration.shape[name].description, name).toMatch(/\.$/);
  expect(secretSettings()).toEqual(["managementKey", "secretKey"]);
  const regional = SETTING_NAMES.filter((name) => settingMeta(name).regional);
  expect(regional).toEqual(["managementKey", "secretKey", "eventsUrl"]);
});
