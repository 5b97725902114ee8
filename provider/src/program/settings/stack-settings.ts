import { issueMessage } from "@devid/sdk/wire";
import { readRuleFile, RuleFileError, type Rule } from "@devid/rules";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { ResourceDefinition } from "../../definition/define-resource";
import { fieldMeta } from "../../definition/field";
import * as registry from "../../registry";
import { kindOfType } from "../../definition/engine-names";
import { adoptOnce } from "../resource-class";
import { orEndProgram, runError } from "../program-errors";
import { resourceUrns, type ResourcePlace } from "../resource-urns";
import { hasEngine, stackState } from "../stack-state";
import { checkCopy, refuseCopyInPlace, type ExportedFrom } from "./copy-check";
import {
  DeclaredResources,
  TAKE_OVER,
  type DeclaredResource,
} from "./declared-resources";
import { WorkspaceObjects } from "./workspace-objects";

export type { ExportedFrom } from "./copy-check";

const DEFINITIONS = Object.values(registry) as unknown as ResourceDefinition[];

const KINDS = DEFINITIONS.map(({ kind }) => kind);

const Overrides = z.record(z.string(), z.record(z.string(), z.unknown()));

/** `settings` of stack config: arguments by kind and by name of a resource. */
const Settings = z.strictObject({
  ...Object.fromEntries(KINDS.map((kind) => [kind, Overrides.optional()])),
  adopt: z.literal("byName").optional(),
});

/** Settings of a rule set in stack config in addition to its arguments. */
const RuleOverrides = z.looseObject({
  without: z.array(z.string()).default([]),
  first: z.string().optional(),
  last: z.string().optional(),
});

/** Where settings are, and for which program. */
export interface StackSettingsOptions {
  /** Default: the config of the project. */
  readonly config?: pulumi.Config;
  /** The workspace that the program was exported from: `devid export` writes it. */
  readonly exportedFrom?: ExportedFrom;
}

/** The applied settings of a stack. */
export interface AppliedStackSettings {
  /**
   * Call it at the end of a program. A preview then warns about new resources whose
   * name or address the workspace already has. It fails if a new stack would copy the
   * exported workspace into itself.
   * @throws RunError naming each resource of the settings that was not declared
   */
  assertUsed(): void;
}

/**
 * Lets stack config replace arguments of the resources that are declared after
 * this call, so that one program can declare a workspace in several regions. The
 * setting `settings` holds the arguments by kind and by name of a resource. An
 * `environment` may be given by its name. A rule set also takes `without` (names of
 * rules that this stack does not have), and `first` and `last` (paths of rule files
 * whose rules stand before and after the program's). With `adopt: byName`, every new
 * resource takes over the object that has its name or address.
 *
 * @throws RunError for settings of another form, or of another project
 * @example
 * // Pulumi.eu.yaml
 * // config:
 * //   shop:settings:
 * //     ApiKey: { server: { rateLimit: 50 } }
 * //     FilteringRuleSet: { default: { without: [block-office] } }
 */
export function applyStackSettings({
  config = new pulumi.Config(),
  exportedFrom,
}: StackSettingsOptions = {}): AppliedStackSettings {
  refuseOtherProjects(config.name);
  const { adopt, ...settings } = readSettings(config);
  const unused = new Set(
    Object.entries(settings).flatMap(([kind, ofKind]) =>
      Object.keys(ofKind ?? {}).map((name) => `${kind} ${name}`),
    ),
  );
  const objects = workspaceObjects();
  const isUpdate = hasEngine() && !pulumi.runtime.isDryRun();
  const isWaitedFor = isUpdate && exportedFrom !== undefined && !adopt;
  const declared = new DeclaredResources(objects, { isWaitedFor });
  const copyFacts = {
    ...{ declared, objects, exportedFrom, adopt },
    setting: (name: string) => config.get(name),
  };
  let checked: Promise<void> | undefined;
  /** In an update: ends before anything is made, or as soon as the copy is refused. */
  const copyRefusal = () =>
    (checked ??= afterDeclarations(() => refuseCopyInPlace(copyFacts)));
  pulumi.runtime.registerStackTransformation(
    ({ type, name, props, opts, resource }) => {
      const definition = DEFINITIONS.find(
        ({ kind }) => kind === kindOfType(type),
      );
      if (!definition) return undefined;
      const { kind } = definition;
      const overrides = settings[kind]?.[name];
      unused.delete(`${kind} ${name}`);
      const place = { type, name, ...placeOf(opts) };
      const one: DeclaredResource = {
        definition,
        name,
        resource,
        props: overrides
          ? overridden(definition, name, props, {
              ...overrides,
              ...environmentsByName(definition, overrides, declared),
              ...adoptedOnce(kind, place, overrides),
            })
          : props,
        isNew: () =>
          isWaitedFor && waitsForOther(opts.parent)
            ? Promise.resolve(true)
            : isNewAt(place),
        isSettled:
          definition.adoption !== undefined &&
          overrides?.[definition.adoption.by] !== undefined,
      };
      // Which workspace another provider is for is not known here.
      const isAsked =
        hasEngine() &&
        (opts.provider ?? opts.parent?.getProvider(type)) === undefined;
      if (isAsked) declared.add(one);
      const byName = isAsked && adopt && takenOverByName(declared, one);
      if (byName) return { props: { ...one.props, ...byName }, opts };
      if (isAsked && isWaitedFor) {
        const dependsOn = copyRefusal().then(
          () => (opts.dependsOn ?? []) as pulumi.Resource[],
        );
        return { props: one.props, opts: { ...opts, dependsOn } };
      }
      return overrides ? { props: one.props, opts } : undefined;
    },
  );
  return {
    assertUsed() {
      if (unused.size > 0)
        throw runError(
          `Stack config ${config.name}:settings names resources that the program does not declare: ${[...unused].join(", ")}.`,
        );
      if (hasEngine() && pulumi.runtime.isDryRun())
        inBackground(async () => {
          const warning = await checkCopy(copyFacts);
          if (warning !== undefined) await pulumi.log.warn(warning);
        });
    },
  };
}

/** The settings of stack config. @throws RunError for settings of another form */
function readSettings(
  config: pulumi.Config,
): Partial<Record<string, z.output<typeof Overrides>>> & { adopt?: "byName" } {
  const parsed = Settings.safeParse(config.getObject("settings") ?? {}, {
    error: issueMessage,
  });
  if (parsed.success) return parsed.data as never;
  throw runError(
    `Stack config ${config.name}:settings is not valid:` +
      parsed.error.issues
        .map(({ path, message }) => `\n  ${z.core.toDotPath(path)}: ${message}`)
        .join("") +
      `\nIt may hold arguments, by kind (${KINDS.join(", ")}) and by the name of a resource, and adopt: byName.`,
  );
}

/**
 * Refuses settings that stack config has for another project, for example after the
 * project was renamed: nothing would apply them.
 * @throws RunError
 */
function refuseOtherProjects(project: string): void {
  const config = pulumi.runtime.allConfig() as Record<string, string>;
  for (const [key, text] of Object.entries(config)) {
    const [other, name] = key.split(":");
    if (name !== "settings" || other === project || !isForResources(text))
      continue;
    throw runError(
      `Stack config has ${key}, but this project is called ${project}, so none of it would apply. Rename it to ${project}:settings in Pulumi.${pulumi.getStack()}.yaml.`,
    );
  }
}

/** Whether a value of stack config has the form of these settings: other packages may have their own. */
function isForResources(text: string): boolean {
  try {
    const keys = Object.keys(JSON.parse(text) as object);
    return keys.some((key) => key in Settings.shape);
  } catch {
    return false;
  }
}

/** The members of a resource's options that its URN depends on. */
function placeOf({ parent, aliases }: pulumi.CustomResourceOptions) {
  return { ...(parent && { parent }), ...(aliases && { aliases }) };
}

async function isNewAt(place: ResourcePlace): Promise<boolean> {
  const [urns, state] = await Promise.all([resourceUrns(place), stackState()]);
  return state !== undefined && !urns.some((urn) => state.has(urn));
}

function workspaceObjects(): () => Promise<WorkspaceObjects> {
  let opened: Promise<WorkspaceObjects> | undefined;
  return () => (opened ??= openWorkspace());
}

async function openWorkspace(): Promise<WorkspaceObjects> {
  const objects = await WorkspaceObjects.ofStack();
  if (objects) return objects;
  throw runError(
    "The state of the stack cannot be read, so nothing can be looked up in the workspace.",
  );
}

/**
 * If the settings have `adopt: byName`: the argument by which a resource takes over the
 * object or the rules that exist.
 */
function takenOverByName(declared: DeclaredResources, one: DeclaredResource) {
  const { definition, props } = one;
  if (definition.adoption && props.adopt === undefined)
    return { adopt: orEndProgram(declared.toAdopt(one)) };
  if (!(TAKE_OVER in definition.inputs.shape) || props[TAKE_OVER] !== undefined)
    return undefined;
  const isInTheWay = orEndProgram(declared.isInTheWay(one));
  return { [TAKE_OVER]: isInTheWay.then((is) => is || undefined) };
}

/** The setting `adopt` of one resource, which only its creation uses. */
const adoptedOnce = (
  kind: string,
  place: ResourcePlace,
  { adopt }: Readonly<Record<string, unknown>>,
) =>
  adopt !== undefined && hasEngine()
    ? { adopt: adoptOnce(kind, place, adopt) }
    : {};

/** The settings that refer to environments, with the ID of an environment that they name. */
function environmentsByName(
  { inputs }: ResourceDefinition,
  overrides: Readonly<Record<string, unknown>>,
  declared: DeclaredResources,
): Record<string, unknown> {
  if (!hasEngine()) return {};
  const named = Object.entries(overrides).filter(([input, value]) => {
    const field = inputs.shape[input] as z.ZodType | undefined;
    return (
      field &&
      fieldMeta(field).references === "Environment" &&
      typeof value === "string" &&
      !ENVIRONMENT_ID.test(value)
    );
  });
  return Object.fromEntries(
    named.map(([input, value]) => [
      input,
      orEndProgram(declared.environmentId(value as string)),
    ]),
  );
}

/** docs/contract.md, "Environment record". */
const ENVIRONMENT_ID = /^(?:ae|env)_\w+$/;

/** Runs work after the declarations that need no waiting. An error ends the program. */
const afterDeclarations = (work: () => Promise<void>): Promise<void> =>
  orEndProgram(new Promise((resolve) => setImmediate(resolve)).then(work));

/**
 * Whether the parent of a resource is not a component. The URN is then unknown until
 * the parent is made.
 */
function waitsForOther(parent: pulumi.Resource | undefined): boolean {
  if (!parent) return false;
  if (pulumi.CustomResource.isInstance(parent)) return true;
  return waitsForOther(
    (parent as { __parentResource?: pulumi.Resource }).__parentResource,
  );
}

/** Makes the program wait for work; an error ends the program. */
function inBackground(work: () => Promise<void>): void {
  const done = pulumi.runtime.rpcKeepAlive();
  void orEndProgram(work()).finally(done);
}

function overridden(
  { kind, clone, fileInput }: ResourceDefinition,
  name: string,
  props: pulumi.Inputs,
  overrides: Readonly<Record<string, unknown>>,
): pulumi.Inputs {
  const rulesInput = clone?.ruleFile && fileInput?.inPlaceOf;
  if (rulesInput === undefined) return { ...props, ...overrides };
  const parsed = RuleOverrides.safeParse(overrides, { error: issueMessage });
  if (!parsed.success)
    throw runError(
      `The settings of ${kind} ${name} are not valid: ${parsed.error.issues.map(({ path, message }) => `${z.core.toDotPath(path)}: ${message}`).join(", ")}.`,
    );
  const { without, first, last, ...args } = parsed.data;
  const own = props[rulesInput] as readonly Rule[] | undefined;
  // Absent rules, and rules that are an Output, stay as they are.
  if (!own || !("filter" in own)) return { ...props, ...args };
  const missing = without.filter(
    (left) => !own.some((rule) => rule.name === left),
  );
  if (missing.length > 0)
    throw runError(
      `The settings of ${kind} ${name} leave out rules that it does not have: ${missing.join(", ")}.`,
    );
  const rulesAt = (setting: string, path: string) => {
    try {
      return readRuleFile(path);
    } catch (error) {
      if (error instanceof RuleFileError) throw runError(error.message);
      const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
      const problem = isMissing ? "there is no such file" : String(error);
      throw runError(
        `The settings of ${kind} ${name} name the rule file ${path} (${setting}), which cannot be read: ${problem} in ${process.cwd()}.`,
      );
    }
  };
  const rules = [
    ...(first === undefined ? [] : rulesAt("first", first)),
    ...own.filter((rule) => !without.includes(rule.name)),
    ...(last === undefined ? [] : rulesAt("last", last)),
  ];
  return { ...props, [rulesInput]: rules, ...args };
}
