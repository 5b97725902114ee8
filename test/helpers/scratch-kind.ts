import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { configurationOf, Redactor } from "@devid/sdk";
import { z } from "zod";
import {
  defineResource,
  objectsFrom,
} from "../../provider/src/definition/define-resource";
import {
  immutable,
  references,
  revealOnce,
  secret,
  stable,
} from "../../provider/src/definition/field";
import { changesOf } from "../../provider/src/definition/request-body";
import { withoutNulls } from "../../provider/src/session/answers";
import type { CallOptions } from "../../sdk/src/http/request";
import { Collection } from "../../sdk/src/management/collection";
import { ManagementApi } from "../../sdk/src/management/management-api";
import type { InputOf, RecordOf } from "../../sdk/src/management/records";
import { operationsOf } from "../../sdk/src/wire/operations";

// Everything that CONTRIBUTING requires for a new kind of resource, in one
// file: the SDK's wire schemas and client, the service, and one definition.

const SeatRecord = z.object({
  id: z.string(),
  name: z.string(),
  role: z.string(),
  environment: z.string().nullish(),
  pin: z.string().nullish(),
  token: z.string().nullish(),
  recovery_code: z.string().nullish(),
  created_at: z.string().nullish(),
});

const SeatCreate = z.strictObject({
  name: z.string(),
  role: z.string(),
  environment: z.string().optional(),
  pin: z.string().optional(),
});

const SeatUpdate = z.strictObject({
  role: z.string().optional(),
  pin: z.string().nullable().optional(),
});

type SeatAnswer = RecordOf<typeof SeatRecord>;

const SEAT = operationsOf(
  "seat",
  SeatRecord,
  ["pin", "token", "recovery_code"],
  {
    list: {
      name: "listSeats",
      method: "GET",
      path: "/seats",
      doing: "Listing seats",
      summary: "List seats",
      filter: z.strictObject({}),
      answers: "page",
    },
    get: {
      name: "getSeat",
      method: "GET",
      path: "/seats/:id",
      doing: "Reading seat",
      summary: "Get a seat",
      answers: "one",
    },
    create: {
      name: "createSeat",
      method: "POST",
      path: "/seats",
      doing: "Creating seat",
      summary: "Create a seat",
      body: SeatCreate,
      answers: "one",
    },
    update: {
      name: "updateSeat",
      method: "PATCH",
      path: "/seats/:id",
      doing: "Updating seat",
      summary: "Change a seat",
      body: SeatUpdate,
      answers: "one",
    },
    delete: {
      name: "deleteSeat",
      method: "DELETE",
      path: "/seats/:id",
      doing: "Deleting seat",
      summary: "Delete a seat",
      answers: "nothing",
    },
  },
);

/** The client's calls for seats. */
class Seats extends Collection<
  typeof SeatRecord,
  (typeof SEAT)["list"]["filter"]
> {
  protected readonly pages = SEAT.list;

  get(id: string, options?: CallOptions): Promise<SeatAnswer> {
    return this.api.call(SEAT.get, { id }, options);
  }

  create(input: InputOf<typeof SeatCreate>): Promise<SeatAnswer> {
    return this.api.call(SEAT.create, { label: `"${input.name}"`, input });
  }

  update(id: string, input: InputOf<typeof SeatUpdate>): Promise<SeatAnswer> {
    return this.api.call(SEAT.update, { id, input });
  }

  delete(id: string): Promise<void> {
    return this.api.call(SEAT.delete, { id });
  }
}

/** The secret values of every seat. No output may contain them. */
export const CANARIES = {
  pin: "canary-pin-4711",
  token: "canary-token-0815",
  recoveryCode: "canary-recovery-code-1234",
  query: "canary-query-5678",
} as const;

type Json = Record<string, unknown>;

/**
 * A service that has seats, and passes all other calls on to a local service.
 * It shows a token only once but every other secret always, and its error
 * messages repeat the values that it was sent.
 */
export class SeatService {
  readonly seats = new Map<string, Json>();
  #server: Server | undefined;

  private constructor(private readonly upstream: string) {}

  static async start(upstream: string): Promise<SeatService> {
    const service = new SeatService(upstream);
    const server = createServer((request, response) => {
      void service.#answer(request).then(({ status, text }) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(text);
      });
    });
    service.#server = server;
    await new Promise<void>((listening) =>
      server.listen(0, "127.0.0.1", listening),
    );
    return service;
  }

  get url(): string {
    const address = this.#server?.address() as AddressInfo | undefined;
    return `http://127.0.0.1:${address?.port}`;
  }

  /** Makes the client's seat calls for this service. */
  client(managementKey: string): Seats {
    const api = new ManagementApi(
      configurationOf({ endpoint: this.url }),
      () => managementKey,
      { redactor: new Redactor() },
    );
    return new Seats(api);
  }

  close(): Promise<void> {
    return new Promise((closed) => this.#server?.close(() => closed()));
  }

  async #answer(
    request: IncomingMessage,
  ): Promise<{ status: number; text: string }> {
    const { url = "", method = "GET", headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const [, id] = /^\/management\/seats(?:\/([^?]+))?(?:\?|$)/.exec(url) ?? [
      "",
      undefined,
    ];
    if (!url.startsWith("/management/seats")) {
      const { authorization = "", "x-api-version": version = "" } = headers;
      const answer = await fetch(this.upstream + url, {
        method,
        headers: {
          authorization,
          "x-api-version": String(version),
          "content-type": "application/json",
        },
        ...(body !== "" && { body }),
      });
      return { status: answer.status, text: await answer.text() };
    }
    const { status, answer } = this.#act(method, id, body);
    return { status, text: JSON.stringify(answer) };
  }

  #act(
    method: string,
    id: string | undefined,
    body: string,
  ): { status: number; answer: object } {
    const given = body === "" ? {} : (JSON.parse(body) as Json);
    if (given.role === "refused")
      return {
        status: 400,
        answer: {
          error: { code: "validation_error", message: `not with ${body}` },
        },
      };
    if (method === "POST") {
      const made = {
        id: `seat_${this.seats.size + 1}`,
        ...given,
        recovery_code: CANARIES.recoveryCode,
        created_at: `2026-01-0${this.seats.size + 1}T00:00:00Z`,
      };
      this.seats.set(made.id, made);
      return {
        status: 201,
        answer: { data: { ...made, token: CANARIES.token } },
      };
    }
    if (id === undefined)
      return { status: 200, answer: { data: [...this.seats.values()] } };
    const found = this.seats.get(id);
    if (!found)
      return {
        status: 404,
        answer: { error: { code: "not_found", message: "no such seat" } },
      };
    if (method === "DELETE") this.seats.delete(id);
    if (method === "PATCH") Object.assign(found, given);
    return { status: 200, answer: { data: found } };
  }
}

const inputs = z.object({
  name: immutable(z.string().min(3)).describe("Name, at least 3 characters."),
  role: z.string().default("viewer").describe("What its holder may do."),
  environment: references("Environment", z.string().min(1))
    .optional()
    .describe("Environment ID. Omitted: the whole workspace."),
  pin: secret(z.string().min(4)).optional().describe("What its holder enters."),
});

const outputs = inputs.extend({
  token: stable(revealOnce(secret(z.string())))
    .optional()
    .describe("Shown once, on creation."),
  recoveryCode: secret(z.string()).optional().describe("Opens it once."),
  createdAt: stable(z.string()).optional().describe("Time of creation."),
});

/** Makes the resource definition of a seat. */
export function defineSeat(seats: Seats) {
  return defineResource({
    kind: "Seat",
    singular: "seat",
    description: "A seat of the workspace.",
    schemaVersion: 1,
    inputs,
    outputs,
    example: { name: "desk", inputs: { name: "Front desk" }, output: "token" },
    list: (_client, signal) => objectsFrom(seats.listAll({ signal }), fromWire),
    title: ({ name = "" }) => name,
    async create({ inputs }) {
      const made = await seats.create(inputs);
      return { id: made.id, outputs: fromWire(made) };
    },
    async read({ session, id }) {
      const found = await session.reads.find(seats, id);
      return found && fromWire(found);
    },
    async update({ id, inputs, changed }) {
      const input = changesOf(SeatUpdate, inputs, changed) ?? {};
      return fromWire(await seats.update(id, input));
    },
    async delete({ id }) {
      await seats.delete(id);
    },
  });
}

function fromWire(answer: SeatAnswer) {
  const { id, ...fields } = withoutNulls(answer);
  return fields;
}
