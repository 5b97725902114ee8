import * as devid from "@devid/pulumi";
import { InvalidInputError, UnauthorizedError } from "@devid/sdk";
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rejection, workspaceForTests } from "../../sdk/workspace";
import { redactArguments } from "../../../provider/src/program/call-function";
import { settled } from "../settled";
import { settingsOf } from "../settings-of";

const workspace = workspaceForTests();
// With mocks, Pulumi would not call the service.
beforeAll(() =>
  pulumi.runtime.resetOptions("project", "stack", -1, "", "", false, ""),
);

beforeEach(() => pulumi.runtime.setAllConfig(settingsOf(workspace)));

const make = (name: string) => workspace.client().environments.create({ name });

/** The error of a look-up that found no environment, or several. */
async function lookupError(args: devid.GetEnvironmentArgs) {
  const error = await rejection(devid.getEnvironment(args));
  expect(error).toBeInstanceOf(devid.LookupError);
  expect(pulumi.RunError.isInstance(error)).toBe(true);
  return error as devid.LookupError;
}

describe("getEnvironment", () => {
  it("finds an environment by its ID and by its name, and the default one", async () => {
    const made = await make("staging");
    const found = await devid.getEnvironment({ name: "staging" });
    expect(found).toMatchObject({ id: made.id, limitMode: "none" });
    expect(found).not.toHaveProperty("description");
    const id = pulumi.output(made.id);
    const byId = await settled(devid.getEnvironmentOutput({ id }));
    expect(byId).toMatchObject({ value: { name: "staging" }, isSecret: false });
    const ofWhole = devid.getEnvironmentOutput(pulumi.output({ id }));
    expect((await settled(ofWhole)).value).toEqual(byId.value);
    const standard = await devid.getEnvironment({ default: true });
    expect(standard.id).toBe(workspace.environment);
  });

  it("refuses a name that two environments have, and lists the two with their differences", async () => {
    const one = await make("Twin");
    const two = await make("Twin");
    const error = await lookupError({ name: "Twin" });
    expect(error.matches).toEqual([one.id, two.id]);
    expect(error.message).toSay("lookup/several-of-the-name");
    for (const { id, createdAt } of [one, two])
      expect(error.message).toContain(
        `\n  ${id}, name "Twin", createdAt "${createdAt ?? ""}"`,
      );
  });

  it("finds one of all the pages of the list", async () => {
    for (let n = 0; n < 103; n++) await make(`env ${n}`);
    const { id } = await make("last");
    expect(await devid.getEnvironment({ id })).toMatchObject({ name: "last" });
  });

  it("lists the existing environments when none has the name or the ID", async () => {
    const error = await lookupError({ name: "local" });
    expect(error.matches).toEqual([]);
    expect(error.message).toSay("lookup/none-of-the-name");
    expect(error.message).toContain(`${workspace.environment}, name "Default"`);
    const byId = await lookupError({ id: "ae_none" });
    expect(byId.message).toSay("lookup/no-such-id");
  });

  it.each([
    ["no argument", { name: undefined }, "none"],
    ["two arguments", { id: "ae_1", default: true } as const, "id and default"],
  ])("refuses %s before anything is sent", async (_, args, given) => {
    const error = await rejection(devid.getEnvironment(args));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toContain(
      `arguments: exactly one of id, name, default is needed; given: ${given}`,
    );
    expect(await workspace.requests()).toEqual([]);
  });

  it("refuses an unknown argument, and an empty one", async () => {
    const unknown = { url: "https://a.example/" } as devid.GetEnvironmentArgs;
    const error = await rejection(devid.getEnvironment(unknown));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toContain("url: is not known");
    const empty = await rejection(devid.getEnvironment({ name: "" }));
    expect(empty.message).toContain("name: ");
  });

  it("does not quote a secret name", async () => {
    const name = "hidden-name";
    const error = await rejection(devid.getEnvironment({ name }));
    expect(error.message).toContain(name);
    redactArguments(error, { name });
    expect(error).toBeInstanceOf(devid.LookupError);
    expect(error.message).toContain('with the name "[redacted]"');
    expect(error.message).not.toContain(name);
  });

  it("passes other errors on, so a refused management key is not reported as a missing object", async () => {
    pulumi.runtime.setConfig("devid:managementKey", "nobody's");
    const error = await rejection(devid.getEnvironment({ id: "ae_1" }));
    expect(error).toBeInstanceOf(UnauthorizedError);
  });
});
