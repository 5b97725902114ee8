import type { Region } from "@devid/sdk";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Context } from "../../context";
import { AnswerError, MANAGEMENT_ERRORS } from "../../http/answer-error";
import { refusePath, regionOf } from "../../http/request-path";
import { routePath } from "../../http/surface";
import type { Markup } from "@devid/review/internals";

/** Lint, the solver and the parser of YAML are loaded for the first question, to keep the start short. */
const loadDecide = () => import("./decide.js");

const config = { surface: { name: "console", errorFormat: MANAGEMENT_ERRORS } };

/** The rule playground, its assets, and the calls of its page. */
export function rulePlaygroundRoutes(
  scope: FastifyInstance,
  context: Context,
): void {
  const { store } = context;
  const path = routePath("/playground/:region/rules");
  scope.get(path, { config }, async (request, reply) => {
    const { rulePlaygroundPage } = await import("./rule-playground-page.js");
    return sendPart(reply, rulePlaygroundPage(context, regionIn(request)));
  });
  scope.get(`${path}/in-force`, { config }, async (request, reply) => {
    const { environment } = request.query as { readonly environment?: unknown };
    const id = typeof environment === "string" ? environment : "";
    if (!store.environments.get(regionIn(request), id)) refusePath(request);
    const { rulesText } = await loadDecide();
    return reply
      .type("text/plain; charset=utf-8")
      .send(rulesText(store, regionIn(request), id));
  });
  scope.get(
    routePath("/console/events/:region/:id/request"),
    { config },
    async (request, reply) => {
      const { requestOfEvent } = await loadDecide();
      const { id } = request.params as { readonly id: string };
      const event = store.events.get(regionIn(request), id);
      return reply
        .type("application/json; charset=utf-8")
        .send(requestOfEvent((event ?? refusePath(request)).body));
    },
  );
  scope.post(`${path}/decide`, { config }, async (request, reply) => {
    const { decide, Question } = await loadDecide();
    return sendPart(reply, decide(asked(Question, request)));
  });
  scope.post(`${path}/replay`, { config }, async (request, reply) => {
    const { replay, Replay } = await loadDecide();
    const { environment, ...rest } = asked(Replay, request);
    const region = regionIn(request);
    if (!store.environments.get(region, environment)) refusePath(request);
    return sendPart(
      reply,
      await replay(context, region, { environment, ...rest }),
    );
  });
}

const regionIn = (request: FastifyRequest): Region => regionOf(request) ?? "us";

/** The body of a request. Throws AnswerError for one that the page does not send. */
function asked<Schema extends z.ZodType>(
  schema: Schema,
  { body }: FastifyRequest,
): z.output<Schema> {
  const checked = schema.safeParse(body);
  if (checked.success) return checked.data;
  throw new AnswerError(
    "malformed_request",
    "This is not a question of the rule playground's page.",
  );
}

function sendPart(
  reply: { type(type: string): { send(text: string): unknown } },
  { text }: Markup,
) {
  return reply.type("text/html; charset=utf-8").send(text);
}
