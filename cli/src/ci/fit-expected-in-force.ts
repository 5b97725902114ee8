import { z } from "zod";
import { parsedJson, UsageError } from "../errors";

/** The digest of `expectedInForce` that a plan gives to each rule set, by URN. */
export type PlannedDigests = Readonly<Record<string, string>>;

const NAME = "expectedInForce";

const Values = z.record(z.string(), z.unknown());
const Plan = z.looseObject({
  resourcePlans: z.record(
    z.string(),
    z.looseObject({
      goal: z
        .looseObject({
          inputDiff: z
            .looseObject({
              adds: Values.optional(),
              updates: Values.optional(),
            })
            .nullish(),
        })
        .nullish(),
    }),
  ),
});
const State = z.looseObject({
  deployment: z.looseObject({
    resources: z
      .array(z.looseObject({ urn: z.string(), inputs: Values.optional() }))
      .optional(),
  }),
});

/**
 * Fits a saved plan to the digests in the state. A plan says whether it adds or changes an
 * input, and the engine refuses it if an update in between took the input out of the state,
 * as `pulumi up` of the same program without a pipeline does. `expectedInForce` alone is no
 * change of a rule set, so the plan still does exactly what was reviewed.
 * @param plan the file of `pulumi preview --save-plan`
 * @param state the output of `pulumi stack export`
 * @throws UsageError if either cannot be read
 */
export function fitExpectedInForce(
  plan: string,
  state: string,
  digests: PlannedDigests,
): string {
  const fitted = parsed(Plan, plan, "The reviewed plan");
  const { resources = [] } = parsed(State, state, "The state").deployment;
  for (const [urn, digest] of Object.entries(digests)) {
    const goal = fitted.resourcePlans[urn]?.goal;
    if (!goal) continue;
    const last = resources.find((one) => one.urn === urn)?.inputs?.[NAME];
    const { adds, updates, ...rest } = goal.inputDiff ?? {};
    goal.inputDiff = {
      ...rest,
      adds: withDigest(adds, last === undefined ? digest : undefined),
      updates: withDigest(
        updates,
        last !== undefined && last !== digest ? digest : undefined,
      ),
    };
  }
  return JSON.stringify(fitted);
}

function withDigest(
  values: z.output<typeof Values> = {},
  digest: string | undefined,
) {
  const { [NAME]: _, ...others } = values;
  return digest === undefined ? others : { ...others, [NAME]: digest };
}

function parsed<Output>(
  schema: z.ZodType<Output>,
  text: string,
  what: string,
): Output {
  const { success, data } = schema.safeParse(parsedJson(text));
  if (success) return data;
  throw new UsageError(`${what} cannot be read.`);
}
