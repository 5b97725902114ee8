import type { PolicyReport } from "@devid/review";
import { kindOfType, nameOfUrn, typeOfUrn } from "@devid/pulumi/state";
import { z } from "zod";
import { parsedJson } from "../errors";

const Metadata = z.looseObject({ op: z.string(), urn: z.string() });

/** The members of an engine event that devid reads. */
const Event = z.looseObject({
  diagnosticEvent: z
    .looseObject({
      urn: z.string().optional(),
      message: z.string(),
      severity: z.string(),
    })
    .optional(),
  policyEvent: z
    .looseObject({
      resourceUrn: z.string().optional(),
      message: z.string(),
      policyName: z.string(),
      policyPackName: z.string(),
      enforcementLevel: z.string(),
    })
    .optional(),
  policyAnalyzeSummaryEvent: z
    .looseObject({
      policyPackName: z.string(),
      policyPackVersion: z.string().default(""),
    })
    .optional(),
  resourcePreEvent: z.looseObject({ metadata: Metadata }).optional(),
  resOutputsEvent: z.looseObject({ metadata: Metadata }).optional(),
  resOpFailedEvent: z.looseObject({ metadata: Metadata }).optional(),
  summaryEvent: z.looseObject({ result: z.string().default("") }).optional(),
});

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
    const event = Event.safeParse(parsedJson(line)).data;
    const { diagnosticEvent, policyEvent, summaryEvent } = event ?? {};
    if (diagnosticEvent?.severity === "error") {
      const { urn, message } = diagnosticEvent;
      errors.push({ ...(urn && { urn }), message: message.trim() });
    }
    if (policyEvent) {
      const { resourceUrn, enforcementLevel, policyName } = policyEvent;
      const resource = resourceUrn && resourceName(resourceUrn);
      violations.push({
        policy: policyName,
        pack: policyEvent.policyPackName,
        isAdvisory: enforcementLevel === "advisory",
        ...(resource && { resource }),
        message: policyEvent.message.trim(),
      });
    }
    const analyzed = event?.policyAnalyzeSummaryEvent;
    if (analyzed)
      packs.add(
        `${analyzed.policyPackName} ${analyzed.policyPackVersion}`.trim(),
      );
    for (const [outcome, found] of [
      ["started", event?.resourcePreEvent],
      ["done", event?.resOutputsEvent],
      ["failed", event?.resOpFailedEvent],
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
