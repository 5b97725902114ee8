import * as devid from "@devid/pulumi";
import * as plugin from "@devid/pulumi/plugin";
import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, expect, it } from "vitest";
import {
  fieldsMarked,
  properties,
} from "../../../../provider/src/definition/field";
import { pluginType } from "../../../../provider/src/definition/engine-names";
import * as registry from "../../../../provider/src/registry";
import type { Kind } from "../../../helpers/provider-host";
import type { Properties } from "../../../simulation/engine/property-value";
import { FULL_INPUTS, KINDS, SECRET_OUTPUTS } from "../../kind-rows";
import { mocksForTests, valueOf } from "../../pulumi-mocks";

/**
 * The text that each state of a kind has. It loads the provider, so it must work as long
 * as such states exist.
 */
const providerText = (kind: Kind) =>
  `exports.handler = () => require("@devid/pulumi/provider").${kind};`;

/** The names in `additionalSecretOutputs`. The engine makes these outputs secret, but the mocks do not. */
let secretOutputs: readonly string[] = [];
/** The outputs that the service returns. A guaranteed output that it does not return fails when it is read. */
let answered: Properties = {};
const registered = mocksForTests(() => ({
  createdAt: "2026-01-01",
  ...answered,
  ...Object.fromEntries(
    secretOutputs.map((output) => [output, pulumi.secret("shown")]),
  ),
}));
beforeEach(() => {
  secretOutputs = [];
  answered = {};
});

type AnyClass = new (
  name: string,
  args: object,
  opts?: pulumi.CustomResourceOptions,
) => pulumi.CustomResource;

/** Constructs a resource and returns it with what it registered. */
async function construct(
  kind: Kind,
  args: object,
  opts?: pulumi.CustomResourceOptions,
  form: Pick<typeof devid, Kind> = devid,
) {
  const Class = form[kind] as unknown as AnyClass;
  const resource = new Class(kind, args, opts);
  expect(await valueOf(resource.id)).toBe(`${kind}-id`);
  return { resource, registered: registered[0] };
}

it("every kind of the registry has a class", () => {
  const others = ["Provider", "RotatingApiKey", "LookupError"];
  const classes = Object.keys(devid).filter(
    (name) => /^[A-Z]/.test(name) && !others.includes(name),
  );
  expect(classes.sort()).toEqual(Object.keys(registry).sort());
  expect([...KINDS].sort()).toEqual(Object.keys(registry).sort());
});

describe.each(KINDS)("the class %s", (kind) => {
  const text = providerText(kind);

  it("registers its type, its inputs unchanged, and the constant text", async () => {
    const made = await construct(kind, FULL_INPUTS[kind]);
    const { type, inputs } = made.registered ?? expect.fail("nothing");
    expect(type).toBe(`pulumi-nodejs:dynamic/devid:${kind}`);
    expect(inputs).toEqual({ ...FULL_INPUTS[kind], __provider: text });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(120);
    registered.length = 0;
    const ofPlugin = await construct(kind, FULL_INPUTS[kind], {}, plugin);
    expect(ofPlugin.registered).toMatchObject({
      type: pluginType(kind),
      inputs: FULL_INPUTS[kind],
    });
  });

  it("marks its own secrets, and those of the program, as secret outputs", async () => {
    const { resource } = await construct(kind, FULL_INPUTS[kind], {
      additionalSecretOutputs: ["name"],
      transformations: [
        ({ opts }) => {
          const { additionalSecretOutputs = [] } =
            opts as pulumi.CustomResourceOptions;
          secretOutputs = additionalSecretOutputs;
          return undefined;
        },
      ],
    });
    expect(secretOutputs).toEqual(["name", ...SECRET_OUTPUTS[kind]]);
    const outputs = Object.entries(resource).filter(([name]) =>
      Object.hasOwn(registry[kind].outputs.shape, name),
    ) as [string, pulumi.Output<unknown>][];
    for (const [name, output] of outputs)
      expect(await pulumi.isSecret(output), name).toBe(
        secretOutputs.includes(name),
      );
    expect(outputs.map(([name]) => name)).toEqual(
      expect.arrayContaining([...SECRET_OUTPUTS[kind]]),
    );
  });

  it("has an output for every field", async () => {
    const fields = Object.keys(properties(registry[kind].outputs).shape);
    const expected = fieldsMarked(registry[kind].outputs, "absence");
    answered = Object.fromEntries(expected.map((name) => [name, "answered"]));
    for (const args of [FULL_INPUTS[kind], {}]) {
      const { resource } = await construct(kind, args);
      const outputs = resource as unknown as Record<string, unknown>;
      for (const name of fields)
        expect(pulumi.Output.isInstance(outputs[name]), name).toBe(true);
      const values = await Promise.all(
        fields.map(async (name) => [
          name,
          await valueOf(outputs[name] as pulumi.Output<unknown>),
        ]),
      );
      const given = Object.entries(args).filter(([name]) =>
        fields.includes(name),
      );
      expect(Object.fromEntries(values)).toEqual({
        ...Object.fromEntries(given),
        ...answered,
        ...(fields.includes("createdAt") && { createdAt: "2026-01-01" }),
      });
    }
  });
});

it("errors have no stack only while Pulumi registers the resource", () => {
  const { stackTraceLimit } = Error;
  let within: number | undefined;
  const transformations: pulumi.ResourceTransformation[] = [
    () => {
      within = Error.stackTraceLimit;
      return undefined;
    },
  ];
  new devid.Environment("staging", { name: "Staging" }, { transformations });
  expect(within).toBe(0);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  let failure: Error | undefined;
  try {
    new devid.Environment("", { name: "Staging" });
  } catch (error) {
    failure = error as Error;
  }
  expect(failure?.stack).toContain("classes.test");
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});
