import { findDrift, formatDrift, type Drift } from "@devid/clone";
import { UNKNOWN_TEXT } from "@devid/pulumi/state";
import { beforeEach, describe, expect, it } from "vitest";
import { localForTests } from "../../helpers/local-for-tests";
import { expectGolden } from "../../helpers/golden";
import { lineWith } from "../../helpers/sentences";
import { FORMS, inForm } from "../../helpers/program-form";
import { changeInDashboard, makeObjects, RECORDED } from "./drifting-program";

const workspace = localForTests();
/** IDs of the objects that the local service has at its start. */
let first: string[];
let ids: Readonly<Record<string, string>>;

beforeEach(async () => {
  first = (await workspace.list("api-keys")).map(({ id }) => String(id));
  ids = await makeObjects(workspace);
});

describe.each(FORMS)("a %s program", (form) => {
  const recorded = inForm(form, RECORDED);

  const preview = () =>
    Object.entries(ids).reduce(
      (text, [name, id]) => text.replaceAll(`<${name}>`, id),
      recorded,
    );

  const drift = (text = preview(), more: object = {}) =>
    findDrift({
      preview: text,
      name: "preview.json",
      allowed: first,
      stackConfig: {
        "devid:endpoint": workspace.url,
        "devid:managementKey": workspace.service.workspaces.us.managementKey,
        "devid:requestsPerSecond": "100000",
      },
      ...more,
    });

  type Step = Record<"oldState" | "newState", Record<string, unknown>> & {
    op: string;
    urn: string;
  };

  /** The preview with the step of a resource changed, or removed if `change` returns undefined. */
  const withStep = (name: string, edit: (step: Step) => Step | undefined) => {
    const whole = JSON.parse(preview()) as { steps: Step[] };
    return JSON.stringify({
      ...whole,
      steps: whole.steps.flatMap((step) =>
        step.urn.endsWith(`::${name}`) ? (edit(step) ?? []) : step,
      ),
    });
  };

  /** The preview with other inputs of a resource in the program, and other outputs in the state. */
  const edited = (
    name: string,
    inputs: object,
    outputs: object = {},
    op?: string,
  ) =>
    withStep(name, ({ oldState, newState, ...step }) => ({
      ...step,
      ...(op !== undefined && { op }),
      oldState: {
        ...oldState,
        outputs: { ...(oldState.outputs as object), ...outputs },
      },
      newState: {
        ...newState,
        inputs: { ...(newState.inputs as object), ...inputs },
      },
    }));

  const driftLines = ({ resources }: Drift) =>
    resources.map(
      ({ resource, drift: kind, operation }) =>
        `${resource} ${kind} ${operation}`,
    );

  const none = { resources: [], unmanaged: [], notJudged: [] };

  it("has not drifted after its creation", async () => {
    expect(await drift()).toMatchObject(none);
  });

  it("has drifted when an object of each kind was changed, deleted or created", async () => {
    await changeInDashboard(workspace);
    const found = await drift();
    const text = JSON.stringify(found);
    const named = Object.entries(ids).reduce(
      (all, [name, id]) => all.replaceAll(id, `<${name}>`),
      text,
    );
    const plain = JSON.parse(
      named.replace(/"wh_\w+"/g, '"<by-hand>"').replace(/made [^"]*/g, ""),
    ) as Drift;
    const steady: Drift = {
      ...plain,
      stack: "shop/prod",
      unmanaged: plain.unmanaged.map((one) => ({
        ...one,
        createdAt: "2026-01-01T00:00:00.000Z",
      })),
    };
    // Both forms have the same report.
    expectGolden("drift/report.txt", formatDrift(steady, "text"));
    expect(formatDrift(steady, "markdown")).toMatch(/^### .*`shop\/prod`/);
    expect(text).not.toContain("not-to-be-shown");
  });

  it("has not drifted when the program has the same change", async () => {
    const moved = { url: "https://moved.example/hook" };
    await workspace.call("PATCH", `/webhooks/${ids.hook}`, moved);
    expect(await drift(edited("hook", moved, {}, "update"))).toMatchObject(
      none,
    );
  });

  it("reports changes of the program that are not deployed", async () => {
    const orders = { description: "Orders" };
    const found = await drift(edited("hook", orders, {}, "update"));
    const report = formatDrift(found, "markdown");
    expect(lineWith("The program and the workspace", report)).toSay(
      "drift/program-differs",
    );
    expect(lineWith("not deployed.", report)).toSay("drift/not-deployed");
    expect(found.resources).toMatchObject([
      {
        resource: 'Webhook "hook"',
        drift: "not deployed",
        operation: "update",
        properties: [{ name: "description", after: '"Orders"' }],
      },
    ]);
    const made = withStep("hook", (step) => ({
      ...step,
      op: "create",
      oldState: undefined as never,
    }));
    expect(driftLines(await drift(made))).toEqual([
      'Webhook "hook" not deployed create',
    ]);
    const deleted = withStep("hook", (step) => ({
      ...step,
      op: "delete",
      newState: undefined as never,
    }));
    expect(driftLines(await drift(deleted))).toEqual([
      'Webhook "hook" not deployed delete',
    ]);
  });

  it("reports an optional value that somebody cleared as changed by somebody", async () => {
    const described = { description: "Seals results" };
    const text = edited("sealing", described, described);
    expect((await drift(text)).resources).toMatchObject([
      {
        drift: "changed",
        properties: [{ name: "description", before: '"Seals results"' }],
      },
    ]);
  });

  it("has drifted when all rules were deleted", async () => {
    for (const { id } of await workspace.list("filtering-rules"))
      await workspace.call("DELETE", `/filtering-rules/${String(id)}`);
    const place = { environment: ids.default };
    for (const text of [preview(), edited("rules", place, place)]) {
      const { resources } = await drift(text);
      expect(resources).toMatchObject([
        { resource: 'FilteringRuleSet "rules"', drift: "changed" },
      ]);
      expect(resources[0]?.properties).toEqual([]);
      expect(resources[0]?.rules?.changes).toHaveLength(2);
    }
  });

  it("recognises the objects of another stack by its state", async () => {
    const other = (await workspace.control("/us/webhooks", {
      url: "https://other.example/hook",
      verified: true,
    })) as { id: string };
    expect((await drift()).unmanaged).toMatchObject([{ id: other.id }]);
    const state = { version: 3, deployment: { resources: [{ id: other.id }] } };
    expect(await drift(preview(), { otherStates: [state] })).toMatchObject(
      none,
    );
  });

  it("judges no resource with the key of another workspace", async () => {
    const elsewhere = preview().replaceAll(ids.default ?? "", "ae_elsewhere");
    const { resources, unmanaged, notJudged } = await drift(elsewhere);
    expect([resources, unmanaged]).toEqual([[], []]);
    expect(notJudged).toHaveLength(6);
    expect(notJudged[0]?.reason).toContain("ae_elsewhere");
  });

  it("judges the resources of other providers if a preview hides the key of one", async () => {
    const args = form === "plugin" ? "" : "devid.Provider:";
    const urn = `urn:pulumi:test::drifting::pulumi:providers:${form === "plugin" ? "devid" : "pulumi-nodejs"}::europe`;
    const inputs = {
      [`${args}region`]: "eu",
      [`${args}managementKey`]: "[secret]",
    };
    const withEurope = (text: string, names: readonly string[]) => {
      const whole = JSON.parse(text) as { steps: Step[] };
      const steps = whole.steps.map((step) => {
        if (!names.includes(step.urn.split("::").pop() ?? "")) return step;
        const provider = `${urn}::1`;
        const { oldState, newState } = step;
        const outputs = {
          ...(oldState.outputs as object),
          owner: { region: "eu", workspace: "ae_europe" },
        };
        return {
          ...step,
          oldState: { ...oldState, provider, outputs },
          newState: { ...newState, provider },
        };
      });
      const state = { inputs, type: urn.split("::")[2], urn, custom: true };
      const europe = { op: "same", urn, oldState: state, newState: state };
      return JSON.stringify({ ...whole, steps: [europe, ...steps] });
    };
    const some = await drift(withEurope(preview(), ["hook"]));
    expect(some.resources).toEqual([]);
    expect(some.notJudged).toMatchObject([{ what: 'Webhook "hook"' }]);
    expect(some.notJudged[0]?.reason).toContain("DEVID_MANAGEMENT_KEY_EU");
    const all = withEurope(preview(), Object.keys(ids).concat("rules"));
    await expect(drift(all)).rejects.toThrow("(a preview hides secrets)");
  });

  it("names the objects that the service refuses to list", async () => {
    await workspace.call("DELETE", `/webhooks/${ids.hook}`);
    await workspace.control("/faults", {
      match: { path: "/management/webhooks" },
      then: {
        status: 403,
        body: { error: { code: "feature_not_enabled", message: "No." } },
      },
      times: 1,
    });
    const { resources, notJudged } = await drift();
    expect(resources).toEqual([]);
    expect(notJudged).toMatchObject([
      { what: "webhooks (us)" },
      { what: "webhook verifications (us)" },
    ]);
  });

  it("judges the other values of a resource with a secret", async () => {
    const secret = { description: "[secret]" };
    const hidden = edited("staging", secret, secret);
    const unjudged = [{ what: 'Environment "staging"' }];
    const before = await drift(hidden);
    expect(before).toMatchObject({ ...none, notJudged: unjudged });
    const name = "Theirs";
    await workspace.call("POST", `/environments/${ids.staging}`, { name });
    expect(await drift(hidden)).toMatchObject({
      resources: [{ drift: "changed", properties: [{ name: "name" }] }],
      notJudged: unjudged,
    });
  });

  it("does not judge an input that only a deployment makes known", async () => {
    const rule = { expression: UNKNOWN_TEXT, action: "deny", after: "" };
    for (const [name, what, inputs] of [
      ["staging", "Environment", { description: UNKNOWN_TEXT }],
      ["staging", "Environment", { constructor: UNKNOWN_TEXT }],
      ["rules", "FilteringRuleSet", { rules: { first: rule } }],
    ] as const)
      expect(await drift(edited(name, inputs, {}, "update"))).toMatchObject({
        ...none,
        notJudged: [{ what: `${what} "${name}"` }],
      });
  });

  it.each([
    null,
    [null],
    { a: null },
    { a: { expression: [null], action: "deny", after: "" } },
    { a: { expression: "true", action: "deny", after: "b" } },
  ])("does not judge a rule set whose rules are %j", async (rules) => {
    const notJudged = [{ what: 'FilteringRuleSet "rules"' }];
    for (const text of [
      edited("rules", { rules }),
      edited("rules", {}, { rules }),
      withStep("rules", ({ oldState: _, newState, ...step }) => ({
        ...(step as Step),
        op: "create",
        newState: { ...newState, inputs: { rules } },
      })),
    ])
      expect(await drift(text)).toMatchObject({ resources: [], notJudged });
  });

  it("refuses a preview that failed, or that leaves out unchanged resources", async () => {
    const hidden = JSON.stringify({
      ...(JSON.parse(preview()) as object),
      steps: [],
      changeSummary: { same: 7 },
    });
    await expect(drift(hidden)).rejects.toThrow("--show-sames");
    const failed = JSON.stringify({
      diagnostics: [{ severity: "error", message: "no such file" }],
    });
    await expect(drift(failed)).rejects.toThrow("no such file");
  });
});

it("no key goes to an address that only a preview names", async () => {
  const type = "pulumi-nodejs:dynamic/devid:Webhook";
  const preview = {
    config: {
      "devid:endpoint": "https://stranger.example",
      "devid:managementKey": "a-management-key",
    },
    steps: [
      {
        op: "same",
        urn: `urn:pulumi:prod::shop::${type}::hook`,
        oldState: { type, inputs: {}, outputs: {} },
        newState: { type, inputs: {} },
      },
    ],
  };
  const text = JSON.stringify(preview);
  await expect(
    findDrift({ preview: text, name: "preview.json" }),
  ).rejects.toThrow("The preview names the address https://stranger.example");
});
