import type {
  EnforcementLevel,
  PolicyConfigSchema,
  ResourceValidationPolicy,
} from "@pulumi/policy";
import { z } from "zod";
import { declaredResource, type DeclaredResource } from "./declared-resource";
import { configuredKeys, withoutKeys } from "./keys";
import { addNote } from "./notes";

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
      if (!policy.appliesTo(args.type)) return;
      const resource = declaredResource(args);
      const clean = (text: string) =>
        withoutKeys(text, configuredKeys(resource.provider));
      await policy.check({
        resource,
        config: readConfig(policy, args.getConfig()),
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

function readConfig<C extends z.ZodObject>(
  { name, config }: PolicyDefinition<C>,
  given: object,
): z.output<C> {
  const result = config.safeParse(given);
  if (result.success) return result.data;
  throw new Error(
    `The configuration of policy ${name} is not valid; correct it in the policy pack's configuration:\n${z.prettifyError(result.error)}`,
  );
}
