import * as devid from "@devid/pulumi";
import { RotatingApiKey as OfPlugin } from "@devid/pulumi/plugin";
import * as pulumi from "@pulumi/pulumi";
import { describe, expect, it } from "vitest";
import { mocksForTests, valueOf } from "../pulumi-mocks";

describe("a RotatingApiKey", () => {
  const registered = mocksForTests(({ name }) => ({
    token: pulumi.secret(`token of ${name}`),
  }));
  const rotating = (
    generations: readonly string[],
    opts?: pulumi.ComponentResourceOptions,
  ) =>
    new devid.RotatingApiKey(
      "server",
      { name: "Server", type: "secret", rateLimit: 5, generations },
      opts,
    );
  const keys = async (component: devid.RotatingApiKey) => {
    await Promise.all(
      Object.values(component.keys).map((key) => valueOf(key.id)),
    );
    return registered.filter(({ type }) => type.endsWith(":ApiKey"));
  };

  it("has one key for each generation, and returns the token of the last key", async () => {
    const component = rotating(["2026-10", "2026-11"]);
    expect(Object.keys(component.keys)).toEqual(["2026-10", "2026-11"]);
    const made = await keys(component);
    const asRegistered = made.map(
      ({ name, inputs: { __provider: _, ...inputs } }) => ({
        name,
        inputs,
      }),
    );
    expect(asRegistered.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
      ["2026-10", "2026-11"].map((generation) => ({
        name: `server-${generation}`,
        inputs: {
          name: `Server ${generation}`,
          type: "secret",
          rateLimit: 5,
        },
      })),
    );
    expect(await valueOf(component.keyId)).toBe("server-2026-11-id");
    expect(await valueOf(component.token)).toBe("token of server-2026-11");
    expect(await pulumi.isSecret(component.token)).toBe(true);
  });

  it("registers the plugin's resources over the plugin", async () => {
    const component = new OfPlugin("server", {
      name: "Server",
      type: "secret",
      generations: ["1", "2"],
    });
    await Promise.all(
      Object.values(component.keys).map((key) => valueOf(key.id)),
    );
    const own = registered.map(({ type, name }) => `${type} ${name}`);
    expect(own.sort()).toEqual([
      "devid:index:ApiKey server-1",
      "devid:index:ApiKey server-2",
      "devid:index:RotatingApiKey server",
    ]);
  });

  it("takes the last generation by order, not by name", async () => {
    const component = rotating(["2", "1"]);
    expect(await valueOf(component.keyId)).toBe("server-1-id");
    expect(await valueOf(component.keys["2"]?.id ?? pulumi.output(""))).toBe(
      "server-2-id",
    );
  });

  it("passes its provider to its keys", async () => {
    const provider = new devid.Provider("eu", { region: "eu" });
    const made = await keys(rotating(["1"], { provider }));
    expect(made[0]?.provider).toContain("::eu::eu-id");
  });

  it.each([
    [[], 'The RotatingApiKey "server" has no generation;'],
    [["1", "2", "1"], 'has the generation "1" twice'],
    [["1", ""], "has a generation without a name"],
  ])("refuses the generations %j", (generations, message) => {
    expect(() => rotating(generations)).toThrow(pulumi.RunError);
    expect(() => rotating(generations)).toThrow(message);
    expect(registered).toEqual([]);
  });
});
