import { expect, it } from "vitest";
import { parse } from "yaml";
import { stackConfigs } from "../../../clone/src/write/stack-config";
import { configurationWith } from "../workspace-of";

const configs = (settings: Record<string, string>) =>
  Object.fromEntries<object>(
    [...stackConfigs(configurationWith(settings), {})].map(([path, text]) => [
      path.split(".")[1] ?? "",
      (parse(text) as { config: object }).config,
    ]),
  );

/** The stack of the exported region takes over what is there. */
const TAKES_OVER = { "devid:adopt": "byName" };

it("names only the region when the public addresses apply", () => {
  expect(configs({ region: "eu" })).toEqual({
    us: { "devid:region": "us" },
    eu: { "devid:region": "eu", ...TAKES_OVER },
    ap: { "devid:region": "ap" },
  });
});

it("gives every region an endpoint that serves all regions", () => {
  const endpoint = { "devid:endpoint": "http://127.0.0.1:8787" };
  expect(configs({ endpoint: "http://127.0.0.1:8787" })).toEqual({
    us: { "devid:region": "us", ...endpoint, ...TAKES_OVER },
    eu: { "devid:region": "eu", ...endpoint },
    ap: { "devid:region": "ap", ...endpoint },
  });
});

it("sets a single address only for its region", () => {
  const managementUrl = "https://management.example";
  expect(configs({ region: "ap", managementUrl })).toEqual({
    us: { "devid:region": "us" },
    eu: { "devid:region": "eu" },
    ap: {
      "devid:region": "ap",
      "devid:managementUrl": managementUrl,
      ...TAKES_OVER,
    },
  });
});

it("says how to set the secrets, and holds none", () => {
  const settings = { managementKey: "a-management-key", region: "us" };
  const files = stackConfigs(configurationWith(settings), {});
  const text = files.get("Pulumi.eu.yaml");
  expect(text).toContain(
    "pulumi config set --secret devid:managementKey --stack eu",
  );
  expect(text).not.toContain("a-management-key");
  expect(text).toContain("in this region: devid:overrides, see README.md.");
});

it("quotes the names of resources that Pulumi would read as a time or a number", () => {
  const names = ["2026-01-01", "0b1", "0o7", "012", "1e3", "null", "shop"];
  const adopt = { id: "tok_1" };
  const ApiKey = Object.fromEntries(names.map((name) => [name, { adopt }]));
  const files = stackConfigs(configurationWith({ region: "us" }), { ApiKey });
  const text = files.get("Pulumi.us.yaml") ?? "";
  expect(text.match(/^ +("[^"]+"|shop):$/gm)).toHaveLength(names.length);
});
