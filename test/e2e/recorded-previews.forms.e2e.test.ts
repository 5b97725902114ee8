import { resolve } from "node:path";
import { expect, it } from "vitest";
import { UNKNOWN_TEXT } from "../../provider/src/definition/engine-names";
import { readPreview } from "../../provider/src/preview/read-preview";
import {
  pathOf,
  recordedPreview,
  type Recorded,
} from "../cli/sources/review/recorded-preview";
import { localForTest } from "../helpers/local-for-tests";
import type { LocalWorkspace } from "../helpers/local-workspace";
import { openForTest } from "../helpers/open-for-tests";
import {
  readRecorded,
  writeRecorded,
  type Preview,
} from "../helpers/recorded-preview";
import { FORMS_OF_TIER } from "../helpers/forms-of-tier";
import { FormStack, type FormProgram } from "../helpers/form-stack";
import type { Form } from "../helpers/program-form";
import { declared } from "../helpers/engine-stack";

// The review's tests read these recorded previews of a real engine. `first.yaml` is the preview of a first
// deployment to three regions and to three environments of one region. `touched.yaml` is the preview of a
// deployment that changes, deletes and replaces resources, and uses options. With UPDATE_GOLDEN=1 this test
// writes them in the dynamic form. In the plugin's form, it compares what the tests make of them with the
// engine's previews.

const rules = (...names: string[]) =>
  names.map((name) => ({
    name,
    expression: `sdk.version == "/${name}"`,
    action: "deny",
    denyWith: "Forbidden",
  }));

/** The workspaces of the program: one local service for each region. */
type Services = Record<"us" | "eu" | "ap", LocalWorkspace>;

const ruleSet = (
  as: string,
  names: readonly string[],
  more: Partial<FormProgram["resources"][number]> = {},
) => ({
  kind: "FilteringRuleSet",
  as,
  ...more,
  args: { rules: rules(...names), ...more.args },
});

/** The program before and after the recorded change. */
function programs(
  { eu, ap, us }: Services,
  environments: Readonly<Record<"staging" | "test", string>>,
  form: Form,
): { readonly first: FormProgram; readonly touched: FormProgram } {
  const provider = (
    region: "eu" | "ap" | "us",
    { service, url }: LocalWorkspace,
  ) => ({
    region,
    endpoint: url,
    managementKey: `secret:${service.workspaces[region].managementKey}`,
  });
  const providers = {
    eup: provider("eu", eu),
    apac: provider("ap", ap),
    usp: provider("us", us),
  };
  const hook = (as: string, path: string, opts = {}) => ({
    kind: "Webhook",
    as,
    args: { url: `https://shop.example/${path}` },
    opts,
  });
  const key = (as: string, type: string) =>
    declared("ApiKey", as, { name: "Shop", type });
  // The component is a class of the TypeScript package alone.
  const rotating = (generations: readonly string[]) =>
    form === "dynamic"
      ? [
          declared("RotatingApiKey", "server", {
            name: "Server",
            type: "secret",
            generations,
          }),
        ]
      : [];
  const placed = (names: readonly string[], moved = {}) => [
    ruleSet("rules-ap", names, { provider: "apac" }),
    ruleSet("rules-staging", names, {
      args: { environment: environments.staging },
    }),
    ruleSet("rules-test", names, {
      args: { environment: environments.test },
      ...moved,
    }),
  ];
  return {
    first: {
      providers,
      resources: [
        hook("hook", "hook"),
        hook("kept", "kept", { retainOnDelete: true }),
        hook("gone", "gone"),
        key("pub", "public"),
        key("secretkey", "secret"),
        ...rotating(["one"]),
        ruleSet("rules", ["a"], { opts: { protect: true } }),
        ruleSet("rules-eu", ["e"], { provider: "eup" }),
        ...placed(["e"]),
      ],
    },
    touched: {
      providers: {
        ...providers,
        eup: { ...providers.eup, requestsPerSecond: 3 },
      },
      resources: [
        {
          ...hook("hook", "hook"),
          args: { url: "https://evil.example/hook" },
        },
        hook("kept", "kept"),
        hook("new", "new"),
        key("pub", "secret"),
        ...rotating(["two"]),
        ruleSet("rules", ["a", "b"], {
          opts: { retainOnDelete: true, ignoreChanges: ["rules"] },
        }),
        ruleSet("rules-eu", ["e", "f"], { provider: "eup" }),
        ...placed(["e", "f"], { provider: "usp" }),
      ],
    },
  };
}

type Json = Record<string, unknown>;
type Step = { urn: string; oldState?: Json; newState?: Json } & Json;

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
/** An ID of the service. */
const ID = /\b([a-z]{2,5})_[A-Za-z0-9]{16}\b/g;

/** Members that no reader of a preview reads: times, paths of the machine, explanations of the engine. */
const UNREAD = new Set([
  ...["created", "modified", "sourcePosition", "stackTrace", "parent"],
  ...["dependencies", "detailedDiff", "diffReasons", "replaceReasons"],
  ...["__urn", "additionalSecretOutputs", "claim", "createdAt"],
  "lastEnabledAt",
]);

/** Undefined if no property depends on another resource. */
function withoutEmpty(dependencies: Record<string, unknown[]>) {
  const some = Object.entries(dependencies).filter(([, on]) => on.length > 0);
  return some.length > 0 ? Object.fromEntries(some) : undefined;
}

/** What is read of a preview, with IDs, times and addresses replaced by stable ones. */
function steady(text: string, names: Readonly<Record<string, string>>): string {
  const ids = new Map<string, string>();
  const once = (id: string, kind: string) => {
    const known = ids.get(id) ?? `${kind}${ids.size + 1}`;
    ids.set(id, known);
    return known;
  };
  const {
    steps,
    duration: _,
    diagnostics: __,
    ...rest
  } = JSON.parse(text) as { steps: Step[] } & Json;
  const inOrder = steps.toSorted((one, other) =>
    one.urn < other.urn ? -1 : Number(one.urn > other.urn),
  );
  const readOf = ({ provider: _, oldState, newState, ...step }: Step) => ({
    ...step,
    oldState: oldState && { ...oldState, urn: undefined },
    newState: newState && { ...newState, urn: undefined },
  });
  let said = JSON.stringify(
    { ...rest, steps: inOrder.map(readOf) },
    (name, value: unknown) => {
      if (name === "propertyDependencies")
        return withoutEmpty(value as Record<string, unknown[]>);
      return UNREAD.has(name) ? undefined : value;
    },
  );
  for (const [value, name] of Object.entries(names))
    said = said.replaceAll(value, name);
  return said
    .replace(UUID, (id) =>
      id === UNKNOWN_TEXT
        ? id
        : `00000000-0000-4000-8000-${once(id, "").padStart(12, "0")}`,
    )
    .replace(ID, (id, kind: string) => once(id, `${kind}_`))
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-01-01T00:00:00Z")
    .replaceAll(resolve(__dirname, "../.."), "");
}

/** IDs, of which one form has more than the other. */
const NUMBERED =
  /\b[a-z]{2,3}_\d+\b|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What a review reads of a preview, in an order that does not depend on the form. */
function read(preview: string) {
  const { resources } = readPreview(
    // The programs of this test name no version of the plugin.
    preview.replaceAll("default_0_1_0", "default").replaceAll(NUMBERED, "ID"),
    "preview.json",
  );
  return resources
    .filter(({ type }) => type !== "pulumi:pulumi:Stack")
    .map(({ urn, operation, before, after }) => ({
      ...{ urn, operation, provider: [before?.provider, after?.provider] },
      ...{ before: before?.inputs, outputs: before?.outputs },
      after: after?.inputs,
    }))
    .toSorted((a, b) => a.urn.localeCompare(b.urn));
}

/** Compares a preview with the recorded one. With UPDATE_GOLDEN=1 it writes the recorded one. */
function expectRecorded(name: Recorded, form: Form, text: string): void {
  if (form === "plugin") {
    expect(read(text)).toEqual(read(recordedPreview(name, form)));
    return;
  }
  const preview = JSON.parse(text) as Preview;
  const path = pathOf(name);
  if (process.env.UPDATE_GOLDEN === "1") writeRecorded(path, preview);
  expect(preview).toEqual(readRecorded(path));
}

async function record(form: Form, services: Services): Promise<void> {
  const { us, eu, ap } = services;
  const environments = {
    staging: await us.newEnvironment("Staging"),
    test: await us.newEnvironment("Test"),
  };
  const own = us.service.workspaces.us;
  const stack = await openForTest(
    FormStack.open(form, { DEVID_ENDPOINT: us.url }),
  );
  await stack.engine.configure("devid:region", "us");
  await stack.engine.configure("devid:managementKey", own.managementKey, {
    secret: true,
  });
  const names = {
    [us.url]: "https://us.service.invalid",
    [eu.url]: "https://eu.service.invalid",
    [ap.url]: "https://ap.service.invalid",
    [own.environment]: "ae_us",
    [environments.staging]: "ae_staging",
    [environments.test]: "ae_test",
    [eu.service.workspaces.eu.environment]: "ae_eu",
    [ap.service.workspaces.ap.environment]: "ae_ap",
  };
  const { first, touched } = programs(services, environments, form);
  stack.declare(first);
  const flags = ["--show-sames"];
  expectRecorded(
    "first",
    form,
    steady(await stack.engine.previewJson(...flags), names),
  );
  await stack.engine.up();
  stack.declare(touched);
  expectRecorded(
    "touched",
    form,
    steady(await stack.engine.previewJson(...flags), names),
  );
}

it.each(FORMS_OF_TIER)(
  "the recorded previews match the engine: %s",
  async (form) => {
    await record(form, {
      us: await localForTest(),
      eu: await localForTest(),
      ap: await localForTest(),
    });
  },
);
