import type { Client } from "@devid/sdk";
import type { z } from "zod";
import type { Adoption, Found } from "../definition/adoption";
import type { ResourceDefinition } from "../definition/define-resource";
import { fieldMeta } from "../definition/field";

type Properties = Readonly<Record<string, unknown>>;

/** Fields that tell candidates of an adoption apart. */
const TOLD = [
  "type",
  "status",
  "legacy",
  "environment",
  "description",
  "createdAt",
];

/**
 * Finds the objects that creations are to take over, and remembers, for one
 * process, which are taken: such an object must not be deleted with the
 * resource that it belonged to before, and a replacement must not adopt what it
 * replaces.
 */
export class Adopter {
  readonly #adopted = new Set<string>();
  readonly #replaced = new Set<string>();

  constructor(private readonly definition: ResourceDefinition) {}

  /** Notes what becomes of the object of a resource whose program says `adopt`. */
  note(id: string, { adopt }: Properties, isReplaced: boolean): void {
    if (adopt === undefined) return;
    if (isReplaced) this.#replaced.add(JSON.stringify(adopt));
    else this.#adopted.add(id);
  }

  /** Whether a resource of the program has an object by adoption. */
  has(id: string): boolean {
    return this.#adopted.has(id);
  }

  /** The object to take over; undefined where creation is to make one. */
  async find(client: Client, inputs: Properties): Promise<Found | undefined> {
    const { adoption } = this.definition;
    const { adopt } = inputs;
    if (!adoption || adopt === undefined) return undefined;
    if (this.#replaced.has(JSON.stringify(adopt))) return undefined;
    const wanted = adopt as {
      readonly id?: string;
      readonly [by: string]: unknown;
    };
    const found =
      wanted.id === undefined
        ? await only(adoption, client, String(wanted[adoption.by]))
        : await byId(adoption, client, wanted.id);
    const objection =
      this.#misfit(found, inputs) ??
      (await adoption.objection?.(client, found.id)) ??
      (this.has(found.id)
        ? "another resource of this program has adopted it"
        : undefined);
    if (objection !== undefined)
      throw new Error(
        `The ${adoption.singular} ${found.id} cannot be adopted: ${objection}.`,
      );
    this.#adopted.add(found.id);
    return found;
  }

  /** What no update could make as declared. */
  #misfit({ outputs }: Found, inputs: Properties): string | undefined {
    const fields = Object.entries(this.definition.inputs.shape);
    const misfits = fields.filter(([name, field]) => {
      const { immutable, local } = fieldMeta(field as z.ZodType);
      const isFixed = immutable && !local && inputs[name] !== undefined;
      return isFixed && outputs[name] !== inputs[name];
    });
    if (misfits.length === 0) return undefined;
    const said = misfits.map(
      ([name]) =>
        `its ${name} is ${text(outputs[name])}, the program says ${text(inputs[name])}`,
    );
    return `${said.join(", and ")}, and that cannot be changed`;
  }
}

async function byId(
  adoption: Adoption,
  client: Client,
  id: string,
): Promise<Found> {
  const found = await adoption.find(client, id);
  if (found) return found;
  throw new Error(
    `There is no ${adoption.singular} ${id} in the workspace in region ${client.configuration.region}, so it cannot be adopted. ` +
      `Check the ID, or leave adopt out to make one.`,
  );
}

async function only(
  adoption: Adoption,
  client: Client,
  value: string,
): Promise<Found> {
  const { singular, by } = adoption;
  const all = await adoption.list(client);
  const [found, ...others] = all.filter(({ outputs }) => outputs[by] === value);
  const { region } = client.configuration;
  // An address may hold a credential.
  const wanted =
    by === "url" ? "the url that adopt says" : `the ${by} ${text(value)}`;
  if (!found)
    throw new Error(
      `None of the ${all.length} ${singular}s of the workspace in region ${region} has ${wanted}, so none can be adopted. ` +
        `Check the ${by}, or leave adopt out to make one.`,
    );
  if (others.length === 0) return found;
  const lines = [found, ...others].map((candidate) => `\n  ${tell(candidate)}`);
  throw new Error(
    `${others.length + 1} ${singular}s of the workspace in region ${region} have ${wanted}; adopt one of them by its ID:${lines.join("")}`,
  );
}

const tell = ({ id, outputs }: Found) =>
  [
    id,
    ...TOLD.filter((name) => outputs[name] !== undefined).map(
      (name) => `${name} ${text(outputs[name])}`,
    ),
  ].join(", ");

const text = (value: unknown) =>
  value === undefined ? "none" : JSON.stringify(value);
