import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { resourceType } from "../../../provider/src/definition/engine-names";
import { resourceUrns } from "../../../provider/src/program/resource-urns";
import { mocksForTests } from "../pulumi-mocks";

mocksForTests(undefined, "shop", "prod");

const type = resourceType("ApiKey");
const urn = (chain: string, name: string) =>
  `urn:pulumi:prod::shop::${chain}${type}::${name}`;
const component = (name: string, opts?: pulumi.ComponentResourceOptions) =>
  new pulumi.ComponentResource(`shop:${name}`, name, {}, opts);

it("a resource has its own URN and one URN for each form of alias", async () => {
  const parent = component("box");
  const aliases = [
    { name: "old" },
    { name: pulumi.output("later") },
    { parent: pulumi.rootStackResource },
    { parent: "urn:pulumi:prod::shop::shop:other::other" },
    { type: resourceType("Key") },
    { project: "before", parent: undefined },
    urn("", "text"),
    pulumi.output(urn("", "output")),
  ];
  expect(await resourceUrns({ type, name: "key", parent, aliases })).toEqual([
    urn("shop:box$", "key"),
    urn("shop:box$", "old"),
    urn("shop:box$", "later"),
    urn("", "key"),
    urn("shop:other$", "key"),
    `urn:pulumi:prod::shop::shop:box$${resourceType("Key")}::key`,
    urn("", "key").replace("::shop::", "::before::"),
    urn("", "text"),
    urn("", "output"),
  ]);
});

it("the URN of a resource without a parent starts at the stack", async () => {
  const aliases = [{ name: "old" }];
  expect(await resourceUrns({ type, name: "key", aliases })).toEqual([
    urn("", "key"),
    urn("", "old"),
  ]);
});

it("a resource has the URNs that follow from the aliases of its parents", async () => {
  const outer = component("outer", { aliases: [{ type: "shop:outmost" }] });
  const inner = component("inner", {
    parent: outer,
    aliases: [{ parent: pulumi.rootStackResource }],
  });
  const urns = await resourceUrns({ type, name: "key", parent: inner });
  expect(urns).toEqual(
    expect.arrayContaining([
      urn("shop:outer$shop:inner$", "key"),
      urn("shop:inner$", "key"),
      urn("shop:outmost$shop:inner$", "key"),
    ]),
  );
});
