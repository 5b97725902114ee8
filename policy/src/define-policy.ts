import type {
  EnforcementLevel,
  PolicyConfigSchema,
  ResourceValidationPolicy,
} from "@pulumi/policy";
import { z } from "zod";
import {
  declaredResource,
  type DeclaredResource,
  STACK_TYPE,
} from "./declared-resource";
import { configuredKeys, withoutKeys } from "./keys";
import { unknownSetting } from "./name-mistakes";

/** What a policy says about a resource. Keys are taken out of every text. */
export interface Report {
  /** It breaks the policy: why, and what to do. */
  violation(message: string): void;
  /** It is not known whether it does: why. The policy `not-checked` tells it. */
  notChecked(message: string): void;
}

/** One policy: its configuration and what it demands of a resource. */
export interface PolicyDefinition<C extends z.ZodObject> {
  readonly name: string;
  /** What the policy demands, in a sentence. */
  readonly description: string;
  readonly enforcementLevel?: EnforcementLevel;
  /** Strict, so that a misspelt setting is refused; every field has a default or is optional. */
  readonly config: C;
  /** Whether the policy is about resources of a type. */
  appliesTo(type: string): boolean;
  check(context: {
    readonly resource: DeclaredResource;
    readonly config: z.output<C>;
    readonly report: Report;
  }): void | Promise<void>;
}

/** Defines a policy; the result is what a policy pack takes. */
export function definePolicy<C extends z.ZodObject>(
  policy: PolicyDefinition<C>,
): ResourceValidationPolicy {
  const { name, description, enforcementLevel = "mandatory" } = policy;
  return {
    name,
    description,
    enforcementLevel,
    configSchema: configSchema(policy.config),
    async validateResource(args, reportViolation) {
      const configured = policy.config.safeParse(args.getConfig());
      if (!configured.success) {
        // Once a run, before any resource.
        if (args.type === STACK_TYPE)
          for (const mistake of mistakesIn(policy, configured.error))
            reportViolation(mistake);
        return;
      }
      if (!policy.appliesTo(args.type)) return;
      const resource = declaredResource(args);
      const clean = (text: string) =>
        withoutKeys(text, configuredKeys(resource.provider));
      await policy.check({
        resource,
        config: configured.data,
        report: {
          violation: (message) => reportViolation(clean(message)),
          notChecked: (message) =>
            addNote(args.urn, `${name}: ${clean(message)}`),
        },
      });
    },
  };
}

/** The configuration as the engine's JSON schema, which it checks before a policy runs. */
function configSchema(config: z.ZodObject): PolicyConfigSchema {
  const { properties = {} } = z.toJSONSchema(config, {
    io: "input",
    target: "draft-7",
  });
  return { properties: properties as PolicyConfigSchema["properties"] };
}

/** What is wrong with a configuration, a sentence for each mistake. The engine lets only unknown settings come so far. */
function mistakesIn<C extends z.ZodObject>(
  { name, config }: PolicyDefinition<C>,
  { issues }: z.ZodError,
): string[] {
  const settings = Object.keys(config.shape);
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => unknownSetting(name, key, settings))
      : [
          `Setting ${issue.path.join(".")} of policy ${name} is not valid: ${issue.message}.`,
        ],
  );
}

const notes = new Map<string, string[]>();

/**
 * Keeps what a policy left open about a resource, by its URN. The engine asks
 * the policies about a resource one after the other, `not-checked` last.
 */
export function addNote(urn: string, note: string): void {
  notes.set(urn, [...(notes.get(urn) ?? []), note]);
}

/** What was left open about a resource; forgotten from then on. */
export function takeNotes(urn: string): readonly string[] {
  const found = notes.get(urn) ?? [];
  notes.delete(urn);
  return found;
}
