import { isDeepStrictEqual } from "node:util";
import { camelKeys } from "@devid/sdk/wire";
import { containsPath, parsePath } from "../engine/property-path";
import { revealed, type Properties } from "../engine/property-value";
import { secretsOfRecord } from "../kinds";
import { keyOf } from "../mirror";
import { urnOfDeclared } from "../program";
import type { Stack } from "../world";
import { kindOf, type Memory } from "./memory";

/** Checks that after success, the declared objects exist and no others. */
export function checkDeclared(
  memory: Memory,
  { name, program, snapshot }: Stack,
): void {
  const declared = new Map(
    program.resources
      .filter(({ kind }) => kind !== "DataSource")
      .map((one) => [urnOfDeclared(program, name, one.name), one]),
  );
  for (const resource of snapshot.resources) {
    const { urn, id, isDeleted } = resource;
    const declaration = declared.get(urn);
    if (!declaration || isDeleted) {
      memory.wrong(
        "not as declared",
        `the state still has ${isDeleted ? "the old " : ""}${urn}`,
      );
      continue;
    }
    const kind = kindOf(resource);
    if (!kind) continue;
    if (kind === "FilteringRuleSet") {
      const rules = declaration.args.rules as
        | readonly { readonly name: string }[]
        | undefined;
      const ignored = declaration.ignoreChanges ?? [];
      const inForce = memory.mirror.rulesOf(id);
      if (
        rules &&
        ignored.length === 0 &&
        !isDeepStrictEqual(
          rules.map((rule) => rule.name),
          inForce.map((rule) => rule.name),
        )
      )
        memory.wrong("not as declared", `the rules in force of ${urn}`);
      continue;
    }
    const object = memory.mirror.object(kind, id);
    if (!object) {
      if (memory.lostToOthers.has(keyOf(kind, id))) continue;
      // The program keeps the verification of an address that the webhook no longer has.
      if (kind === "WebhookVerification" && declaration.ignoreChanges?.length)
        continue;
      memory.wrong("not as declared", `${kind} ${id} of ${urn} is gone`);
      continue;
    }
    const record: Properties = camelKeys(object.record);
    for (const [field, argument] of Object.entries(declaration.args)) {
      if (!(field in record)) continue;
      // An output or an answer that only the program knows.
      if (typeof argument === "object" && argument && "ref" in argument)
        continue;
      const given = memory.world.valueOf(argument);
      const isIgnored = declaration.ignoreChanges?.some((path) =>
        containsPath(parsePath(path) ?? [], [field]),
      );
      if (given === undefined || isIgnored) continue;
      if (!isDeepStrictEqual(record[field], given))
        memory.wrong(
          "not as declared",
          `${field} of ${kind} ${id} of ${urn} is ${JSON.stringify(record[field])}`,
        );
    }
    // An adoption does not reveal secrets, and the killed command has lost this secret.
    const isLeftoverAdopted =
      memory.unclear.has(keyOf(kind, id)) &&
      declaration.args.adopt !== undefined;
    if (
      object.madeBy === name &&
      !isLeftoverAdopted &&
      secretsOfRecord(kind, object.record).some(
        ([output]) => revealed(resource.outputs)[output] === undefined,
      ) &&
      !memory.released.has(keyOf(kind, id))
    )
      memory.wrong("secret key that nobody holds", `${kind} ${id} of ${urn}`);
  }
  for (const [urn] of declared)
    if (!snapshot.resources.some((one) => one.urn === urn))
      memory.wrong("not as declared", `the state lacks ${urn}`);
}
