import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  appliedResources,
  describeEngineRefusal,
} from "../../../cli/src/sources/applied";
import { readEngineEvents } from "../../../cli/src/sources/engine-events";
import { FORMS, inForm } from "../../helpers/program-form";

// The logs of a real engine, without its debug messages.

const NO_PLAN = '{"resourcePlans":{}}';

const recorded = (name: string) =>
  readFileSync(join(__dirname, "recorded", `${name}.events`), "utf8");

const urn = (name: string, kind = "Webhook") =>
  `urn:pulumi:test::shop::devid:index:${kind}::${name}`;

/** The log of an update with these steps, in the engine's form. */
const log = (
  steps: readonly [event: string, op: string, urn: string][],
  errors: readonly { urn?: string; message: string }[] = [],
  result = "failed",
) =>
  [
    ...steps.map(([event, op, of]) => ({
      [event]: { metadata: { op, urn: of } },
    })),
    ...errors.map((error) => ({
      diagnosticEvent: { ...error, severity: "error", color: "never" },
    })),
    { summaryEvent: { result } },
  ]
    .map((event) => JSON.stringify(event))
    .join("\n");

describe("the events of a preview with a policy pack", () => {
  it("have every violation, with its level and its resource", () => {
    const { policies } = readEngineEvents(recorded("policies-dynamic"));
    expect(policies.packs).toEqual(["devid 0.1.0"]);
    expect(
      policies.violations.map(({ policy, resource, isAdvisory }) => [
        policy,
        resource,
        isAdvisory,
      ]),
    ).toEqual([
      ["webhook-https-and-verified", "Webhook kept", false],
      ["webhook-https-and-verified", "Webhook new", false],
      ["webhook-https-and-verified", "Webhook hook", false],
      ["deny-blast-radius", "FilteringRuleSet rules-eu", false],
    ]);
  });

  it("are empty for a text that is not a log", () => {
    expect(readEngineEvents("hello\n{}\n[1]").policies).toEqual({
      packs: [],
      violations: [],
    });
  });
});

describe("the report on an update", () => {
  it.each(FORMS)("lists each resource, but no provider: %s", (form) => {
    const events = readEngineEvents(inForm(form, recorded("update-dynamic")));
    const { extent, resources, messages } = appliedResources(events, NO_PLAN);
    expect({ extent, messages }).toEqual({ extent: "whole", messages: [] });
    const rows = resources.map(
      ({ resource, operation, outcome }) =>
        `${operation} ${resource}: ${outcome}`,
    );
    expect(rows.sort()).toEqual([
      "create Webhook new: done",
      "delete ApiKey secretkey: done",
      "delete Webhook gone: done",
      "replace ApiKey pub: done",
      "update FilteringRuleSet rules-eu: done",
      "update Webhook hook: done",
    ]);
  });

  it("on a partial update lists the steps that were done, failed or not begun", () => {
    const [hook, rules, key] = [
      urn("hook"),
      urn("rules", "FilteringRuleSet"),
      urn("key", "ApiKey"),
    ];
    const text = log(
      [
        ["resourcePreEvent", "create", hook],
        ["resOutputsEvent", "create", hook],
        ["resourcePreEvent", "update", rules],
        ["resOpFailedEvent", "update", rules],
      ],
      [{ urn: rules, message: "They were changed by someone else." }],
    );
    const plan = JSON.stringify({
      resourcePlans: {
        [hook]: { steps: ["create"] },
        [rules]: { steps: ["update"] },
        [key]: { steps: ["delete"] },
        [urn("same")]: { steps: ["same"] },
      },
    });
    expect(appliedResources(readEngineEvents(text), plan)).toEqual({
      extent: "part",
      messages: [],
      resources: [
        { resource: "Webhook hook", operation: "create", outcome: "done" },
        {
          resource: "FilteringRuleSet rules",
          operation: "update",
          outcome: "failed",
          message: "They were changed by someone else.",
        },
        { resource: "ApiKey key", operation: "delete", outcome: "not done" },
      ],
    });
  });

  it("says of a whole deployment that found nothing to do that this was done before", () => {
    const rules = urn("rules", "FilteringRuleSet");
    const text = log([["resourcePreEvent", "same", rules]], []);
    const plan = JSON.stringify({
      resourcePlans: { [rules]: { steps: ["update"] } },
    });
    const events = { ...readEngineEvents(text), isWhole: true };
    expect(appliedResources(events, plan)).toMatchObject({
      extent: "whole",
      resources: [{ operation: "update", outcome: "done before" }],
    });
  });

  it("says the same of one resource where another one failed, and lists no provider of a component", () => {
    const [hook, rules] = [urn("hook"), urn("rules", "FilteringRuleSet")];
    const provider = hook.replace(
      /::[^:]+:[^:]+:[^:]+::hook$/,
      "::shop:index:Shop$pulumi:providers:aws::aws",
    );
    const text = log(
      [
        ["resOutputsEvent", "create", provider],
        ["resOutputsEvent", "same", hook],
        ["resOpFailedEvent", "update", rules],
      ],
      [{ urn: rules, message: "no" }],
    );
    const steps = ["update"];
    const plan = JSON.stringify({
      resourcePlans: { [hook]: { steps }, [rules]: { steps } },
    });
    expect(appliedResources(readEngineEvents(text), plan)).toMatchObject({
      extent: "nothing",
      resources: [
        { resource: "Webhook hook", outcome: "done before" },
        { resource: "FilteringRuleSet rules", outcome: "failed" },
      ],
    });
  });

  it("is empty when the program could not run, and gives the reason", () => {
    const text = log(
      [],
      [{ message: "error: no key" }, { message: "error: update failed" }],
    );
    expect(appliedResources(readEngineEvents(text), NO_PLAN)).toEqual({
      extent: "nothing",
      resources: [],
      messages: ["error: no key"],
    });
  });
});

it("the message about a plan that no longer fits names the properties, without their Go values", () => {
  const said = describeEngineRefusal(
    `error: resource ${urn("rules", "FilteringRuleSet")} violates plan: properties changed: ~~rules[{map[a:{map[action:{deny}]}]}!={map[]}], ++url[{x}]`,
  );
  expect(said).toSay("applied/program-changed");
  expect(describeEngineRefusal("no")).toBe("no");
});

it("the message about a plan that no longer fits names what somebody has changed of the rules in force", () => {
  const violation = (kind: string) =>
    `error: resource ${urn("rules", kind)} violates plan: properties changed: ~~rules[{x}]`;
  const changed = ["hot-fix: added"];
  expect(describeEngineRefusal(violation("FilteringRuleSet"), changed)).toSay(
    "applied/rules-changed",
  );
  const spaced = violation("FilteringRuleSet").replace(
    "::rules ",
    "::my rules ",
  );
  expect(describeEngineRefusal(spaced, changed)).toContain("rule set my rules");
  expect(describeEngineRefusal(violation("Webhook"), changed)).not.toContain(
    "hot-fix",
  );
});
