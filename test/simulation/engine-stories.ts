import type { Declaration } from "./program";
import type { Step } from "./story";

const declare = (...resources: Declaration[]): Step[] =>
  resources.map((resource) => ({ do: "declare", resource }));

const rule = (name: string, expression = "true") => ({
  name,
  expression,
  action: "deny",
});

const inEnv = { environment: { ref: "env" } };

/**
 * What the model is compared with the engine by: each command is one comparison, and
 * shows a rule of the engine that the model has.
 */
export const ENGINE_STORY: readonly Step[] = [
  ...declare(
    { name: "group", kind: "Group", args: {} },
    { name: "env", kind: "Environment", args: { name: "Staging" } },
    {
      name: "key",
      kind: "ApiKey",
      args: { name: "Server", type: "secret", rotation: "1", ...inEnv },
    },
    {
      name: "inner",
      kind: "ApiKey",
      args: { name: "Inner", type: "public" },
      parent: "group",
    },
    {
      name: "hook",
      kind: "Webhook",
      args: { url: { secret: "https://hooks.example/T0ps3cret" } },
      ignoreChanges: ["description"],
    },
    {
      name: "rules",
      kind: "FilteringRuleSet",
      args: { rules: [rule("all"), rule("rest")], ...inEnv },
    },
    { name: "sealing", kind: "EncryptionKey", args: { status: "enabled" } },
  ),
  // Unknown values in a preview; a create of everything; nothing to do.
  { do: "preview" },
  { do: "up" },
  { do: "up" },
  // Updates, an ignored change, a replacement with a second check, a rename with an alias.
  ...declare(
    {
      name: "key",
      kind: "ApiKey",
      args: { name: "Server", type: "secret", rotation: "2", ...inEnv },
    },
    {
      name: "hook",
      kind: "Webhook",
      args: {
        url: { secret: "https://hooks.example/T0ps3cret" },
        description: "Ignored",
        status: "disabled",
      },
      ignoreChanges: ["description"],
    },
  ),
  { do: "rename", name: "inner", to: "moved", isAliased: true },
  { do: "preview" },
  { do: "up", flags: { target: ["hook"] } },
  { do: "up", flags: { exclude: ["sealing"] } },
  // A refresh after changes by hand, and an update with one.
  { do: "edit by hand", object: "hook", body: { status: "enabled" } },
  { do: "delete by hand", object: "moved" },
  { do: "refresh" },
  { do: "up", flags: { refresh: true } },
  // A replacement by a flag; a deletion before the replacement; protection.
  { do: "up", flags: { replace: ["moved"] } },
  ...declare({
    name: "key",
    kind: "ApiKey",
    args: { name: "Server", type: "secret", rotation: "3", ...inEnv },
    deleteBeforeReplace: true,
  }),
  { do: "up" },
  // Deletes at the end of an update; a failing create with a continuing one.
  { do: "remove", name: "moved" },
  ...declare(
    {
      name: "wrong",
      kind: "ApiKey",
      args: { name: "Wrong", type: "public", environment: "ae_none" },
    },
    { name: "right", kind: "ApiKey", args: { name: "Right", type: "public" } },
  ),
  { do: "up", flags: { continueOnError: true } },
  { do: "remove", name: "wrong" },
  { do: "destroy", flags: { target: ["right"] } },
  { do: "destroy" },
];
