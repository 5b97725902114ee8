import { STACK_TYPE } from "@devid/pulumi/state";
import type {
  EnforcementLevel,
  PolicyConfigSchema,
  PolicyResource,
  ResourceValidationArgs,
  ResourceValidationPolicy,
  StackValidationArgs,
  StackValidationPolicy,
} from "@pulumi/policy";
import { DevidError, isOutage } from "@devid/sdk";
import { harmlessText } from "@devid/sdk/errors";
import { z } from "zod";
import {
  declaredResource,
  providerSettings,
  readProperties,
  type DeclaredResource,
} from "./declared-resource";
import { configuredKeys, withoutKeys } from "./keys";
import { unknownSetting } from "./name-mistakes";

/** Takes the findings of a policy about a resource. Keys are removed from every message. */
export interface Report {
  /** The resource breaks the policy. The message says why, and what to do. */
  violation(message: string): void;
  /** The policy could not be checked. The policy `not-checked` shows the message, which says why. */
  notChecked(message: string): void;
}

/** A resource of a stack, after the program has declared all of them. */
export interface StackResource {
  readonly urn: string;
  readonly type: string;
  /** The outputs. Those that a preview does not know are `UNKNOWN_TEXT`. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** The URNs of the resources from which an input takes its value, by the name of the input. */
  readonly dependencies: Readonly<Record<string, readonly string[]>>;
}

/** A policy: its configuration, and its check of a resource. */
export interface PolicyDefinition<C extends z.ZodObject> {
  readonly name: string;
  /** One sentence: what the policy demands. */
  readonly description: string;
  readonly enforcementLevel?: EnforcementLevel;
  /** The schema of its settings. It is strict, to refuse misspelt settings, and accepts an empty object. */
  readonly config: C;
  /** Whether the policy checks resources of a type. */
  appliesTo(type: string): boolean;
  /**
   * Reports what is wrong with a resource. An error of the SDK is a violation. If the
   * service does not answer, the setting `whenUnreachable` decides.
   */
  check(context: {
    readonly resource: DeclaredResource;
    readonly config: z.output<C>;
    readonly report: Report;
  }): void | Promise<void>;
  /**
   * Reports, by their URNs, resources that are wrong together with others of the stack.
   * Keys are removed from every message.
   */
  checkStack?(context: {
    readonly resources: readonly StackResource[];
    readonly config: z.output<C>;
    readonly report: (urn: string, message: string) => void;
  }): void;
  /**
   * Inputs to set so that the resource passes, if the right values are known. They are
   * set only with the enforcement level `remediate`; `check` then gets the resource
   * with them.
   */
  remedy?(context: {
    readonly resource: DeclaredResource;
    readonly config: z.output<C>;
  }): Readonly<Record<string, unknown>> | undefined;
}

/**
 * Turns a definition into a policy for a policy pack.
 *
 * @example
 * const named = definePolicy({
 *   name: "webhook-described",
 *   description: "A webhook must have a description.",
 *   config: z.strictObject({}),
 *   appliesTo: (type) => kindOfType(type) === "Webhook",
 *   check({ resource, report }) {
 *     if (!resource.inputs.description) report.violation("Describe the webhook.");
 *   },
 * });
 */
export function definePolicy<C extends z.ZodObject>(
  policy: PolicyDefinition<C>,
): ResourceValidationPolicy & Partial<StackValidationPolicy> {
  const { name, description, enforcementLevel = "mandatory" } = policy;
  /** Runs a part of the policy if its configuration is right. An error from it contains no key. */
  const run = async <R>(
    args: ResourceValidationArgs | StackValidationArgs,
    part: (config: z.output<C>, clean: Clean) => R,
  ): Promise<Awaited<R> | undefined> => {
    const { success, data } = policy.config.safeParse(args.getConfig());
    if (!success) return undefined;
    const clean = cleaner("resources" in args ? args.resources : [args]);
    try {
      return await part(data, clean);
    } catch (error) {
      throw withoutKeysIn(error, clean);
    }
  };
  return {
    name,
    description,
    enforcementLevel,
    configSchema: configSchema(policy.config),
    async validateResource(args, reportViolation) {
      // The engine checks the stack once in a run, before any resource.
      if (args.type === STACK_TYPE)
        for (const mistake of mistakesIn(policy, args.getConfig()))
          reportViolation(mistake);
      if (!policy.appliesTo(args.type)) return;
      await run(args, async (config, clean) => {
        const resource = declaredResource(args);
        const report: Report = {
          violation: (message) => reportViolation(clean(message)),
          notChecked: (message) =>
            addNote(args.urn, `${name}: ${clean(message)}`),
        };
        try {
          await policy.check({ resource, config, report });
        } catch (error) {
          if (!(error instanceof DevidError)) throw error;
          reportUnanswered(error, config, report);
        }
      });
    },
    ...(policy.checkStack && {
      validateStack: (args, reportViolation) =>
        run(args, (config, clean) =>
          policy.checkStack?.({
            resources: args.resources.map(stackResource),
            config,
            report: (urn, message) => reportViolation(clean(message), urn),
          }),
        ),
    }),
    ...(policy.remedy && {
      remediateResource: (args) =>
        run(args, (config) => {
          if (!policy.appliesTo(args.type)) return undefined;
          const resource = declaredResource(args);
          const inputs = policy.remedy?.({ resource, config });
          // Only the given object keeps the marks of secret and unknown values.
          return inputs && Object.assign(args.props, inputs);
        }),
    }),
  };
}

type Clean = (text: string) => string;

/** Removes from a text the keys of the environment, those of the providers of resources, and what acts on a terminal. */
function cleaner(resources: Parameters<typeof providerSettings>[0][]): Clean {
  let keys: string[] | undefined;
  return (text) => {
    keys ??= resources
      .flatMap((one) => configuredKeys(providerSettings(one), {}))
      .concat(configuredKeys());
    return harmlessText(withoutKeys(text, keys));
  };
}

/** What a policy threw; an error with a key in its text is replaced by one without. */
function withoutKeysIn(error: unknown, clean: Clean): unknown {
  const text = String((error instanceof Error && error.stack) || error);
  return clean(text) === text
    ? error
    : Object.assign(new Error(clean(String(error))), { stack: clean(text) });
}

function stackResource(resource: PolicyResource): StackResource {
  const { urn, type, props, propertyDependencies } = resource;
  const dependencies = Object.entries(propertyDependencies).map(
    ([input, on]) => [input, on.map(({ urn }) => urn)],
  );
  return {
    ...{ urn, type, properties: readProperties(props) },
    dependencies: Object.fromEntries(dependencies) as Record<string, string[]>,
  };
}

/** Reports that the service refused a check, or did not answer it. */
function reportUnanswered(
  error: DevidError,
  { whenUnreachable }: { readonly whenUnreachable?: unknown },
  report: Report,
): void {
  if (!isOutage(error))
    report.violation(`Could not be checked: ${error.message}`);
  else if (whenUnreachable === "advise")
    report.notChecked(
      `not checked: service unreachable or failing. ${error.message}`,
    );
  else
    report.violation(
      `Could not be checked, because the service is unreachable or failing: ${error.message}` +
        (whenUnreachable === undefined
          ? ""
          : ' To go on without this check, set whenUnreachable: "advise" for this policy.'),
    );
}

/** The JSON schema of the configuration, by which the engine checks it before a policy runs. */
function configSchema(config: z.ZodObject): PolicyConfigSchema {
  const options = { io: "input", target: "draft-7" } as const;
  const { properties = {} } = z.toJSONSchema(config, options);
  return { properties: properties as PolicyConfigSchema["properties"] };
}

/** The mistakes in a configuration, a sentence for each. Only unknown settings pass the engine's own check. */
function mistakesIn<C extends z.ZodObject>(
  { name, config }: PolicyDefinition<C>,
  given: object,
): string[] {
  const settings = Object.keys(config.shape);
  return (config.safeParse(given).error?.issues ?? []).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => unknownSetting(name, key, settings))
      : [
          `Setting ${issue.path.join(".")} of policy ${name} is not valid: ${issue.message}.`,
        ],
  );
}

const notes = new Map<string, string[]>();

/**
 * Keeps a message about a resource, by its URN, for the policy `not-checked`.
 * For each resource, the engine runs the policies in order, and `not-checked`
 * is the last.
 */
function addNote(urn: string, note: string): void {
  notes.set(urn, [...(notes.get(urn) ?? []), note]);
}

/** Returns the kept messages about a resource, and forgets them. */
export function takeNotes(urn: string): readonly string[] {
  const found = notes.get(urn) ?? [];
  notes.delete(urn);
  return found;
}
