import type { PolicyReport } from "@devid/review";
import { kindOfType, nameOfUrn, typeOfUrn } from "@devid/pulumi/state";
import { z } from "zod";
import { parsedJson } from "../errors";

const Step = z.object({
  metadata: z.object({ op: z.string(), urn: z.string() }),
});

/** The members of an engine event that devid reads. */
const Event = z
  .object({
    diagnosticEvent: z.object({
      urn: z.string().optional(),
      message: z.string(),
      severity: z.string(),
    }),
    policyEvent: z.object({
      resourceUrn: z.string().optional(),
      message: z.string(),
      policyName: z.string(),
      policyPackName: z.string(),
      enforcementLevel: z.string(),
    }),
    policyAnalyzeSummaryEvent: z.object({
      policyPackName: z.string(),
      policyPackVersion: z.string().default(""),
    }),
    resourcePreEvent: Step,
    resOutputsEvent: Step,
    resOpFailedEvent: Step,
    summaryEvent: z.object({ result: z.string().default("") }),
  })
  .partial();

/** One step of an operation of the engine with a resource. */
export interface EngineStep {
  readonly urn: string;
  readonly operation: string;
  readonly outcome: "started" | "done" | "failed";
}

/** What the engine reports about a preview or an update. */
export interface EngineEvents {
  readonly policies: PolicyReport;
  /** Messages of errors, each with the URN of its resource, if it has one. */
  readonly errors: readonly {
    readonly urn?: string;
    readonly message: string;
  }[];
  /** In the order in which they began. */
  readonly steps: readonly EngineStep[];
  /** Whether the operation succeeded as a whole. */
  readonly isWhole: boolean;
}

/**
 * Reads an event log of the engine: the file that `pulumi up --event-log FILE`
 * writes, one event a line. Lines that are no events are ignored. Debug messages,
 * which may contain secrets, are not read.
 */
export function readEngineEvents(text: string): EngineEvents {
  const packs = new Set<string>();
  const violations: PolicyReport["violations"][number][] = [];
  const errors: EngineEvents["errors"][number][] = [];
  const steps = new Map<string, EngineStep>();
  let isWhole = false;
  for (const line of text.split("\n")) {
    const { diagnosticEvent, policyEvent, summaryEvent, ...event } =
      Event.safeParse(parsedJson(line)).data ?? {};
    if (diagnosticEvent?.severity === "error") {
      const { urn, message } = diagnosticEvent;
      errors.push({ ...(urn && { urn }), message: message.trim() });
    }
    if (policyEvent) {
      const { resourceUrn, enforcementLevel, policyName } = policyEvent;
      violations.push({
        policy: policyName,
        pack: policyEvent.policyPackName,
        isAdvisory: enforcementLevel === "advisory",
        ...(resourceUrn && { resource: resourceName(resourceUrn) }),
        message: policyEvent.message.trim(),
      });
    }
    const { policyAnalyzeSummaryEvent: analyzed } = event;
    if (analyzed) {
      const { policyPackName: name, policyPackVersion: version } = analyzed;
      packs.add(`${name} ${version}`.trim());
    }
    for (const [outcome, found] of [
      ["started", event.resourcePreEvent],
      ["done", event.resOutputsEvent],
      ["failed", event.resOpFailedEvent],
    ] as const) {
      if (!found) continue;
      const { urn, op: operation } = found.metadata;
      steps.set(`${operation} ${urn}`, { urn, operation, outcome });
    }
    if (summaryEvent) isWhole = summaryEvent.result === "succeeded";
  }
  return {
    policies: { packs: [...packs], violations },
    errors,
    steps: [...steps.values()],
    isWhole,
  };
}

/** `Webhook hook`, for either form of a resource of devid. */
export function resourceName(urn: string): string {
  const type = typeOfUrn(urn);
  return `${kindOfType(type) ?? type} ${nameOfUrn(urn)}`;
}
