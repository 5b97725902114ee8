import { readFile } from "node:fs/promises";
import { type Region, REGIONS } from "@devid/sdk";
import type {
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
} from "fastify";
import type { Context } from "../context";
import { refuseWebPages } from "../control/refuse-web-pages";
import { AnswerError, MANAGEMENT_ERRORS } from "../http/answer-error";
import { refusePath, regionOf } from "../http/request-path";
import { routePath } from "../http/surface";
import { packageFile } from "../package-files";
import { deliveryOf } from "../control/history-operations";
import type { Markup } from "@devid/review/internals";
import type { RenderedSections } from "./rendered-sections";
import { rulePlaygroundRoutes } from "./rule-playground/rule-playground-routes";

const loadPages = () => import("./pages.js");

const config = { surface: { name: "console", errorFormat: MANAGEMENT_ERRORS } };

/**
 * The console at `/`, its assets, its sections, the pages of what it lists,
 * and the playgrounds.
 */
export function consoleRoutes(context: Context): FastifyPluginCallback {
  return (scope, _options, done) => {
    let renderer:
      | ((region: Region | undefined) => RenderedSections)
      | undefined;
    const render = async (region: Region | undefined) => {
      const { sectionRenderer, SECTIONS } = await loadPages();
      renderer ??= sectionRenderer(context, SECTIONS);
      return renderer(region);
    };
    scope.addHook("onRequest", (request, reply, next) => {
      reply.headers(CONSOLE_HEADERS);
      guardConsole(context, request, reply);
      next();
    });

    scope.get("/", { config }, async (request, reply) => {
      const { consolePage } = await loadPages();
      const region = chosenRegion(request);
      return sendPage(reply, consolePage(await render(region), region));
    });
    const playground = routePath("/playground/:region");
    scope.get(playground, { config }, async (request, reply) => {
      const { playgroundPage } = await loadPages();
      return sendPage(
        reply,
        playgroundPage(context, regionOf(request) ?? "us"),
      );
    });
    // The page asks every second. It gets nothing while it has the present version.
    scope.get("/console/sections", { config }, async (request, reply) => {
      const { version, sections } = await render(chosenRegion(request));
      const { version: shown } = request.query as {
        readonly version?: unknown;
      };
      if (shown === version) return reply.code(204).send();
      const texts = sections.map(({ id, html }) => ({ id, html: html.text }));
      return sendJson(reply, JSON.stringify({ version, sections: texts }));
    });
    for (const name of Object.keys(ASSETS) as Asset[])
      scope.get(`/console/${name}`, { config }, async (_request, reply) =>
        reply.type(ASSETS[name]).send(await readAsset(name)),
      );
    detailRoutes(scope, context);
    rulePlaygroundRoutes(scope, context);
    done();
  };
}

/** The pages of a decision, an event and a delivery, and their long texts alone. */
function detailRoutes(scope: FastifyInstance, { store }: Context): void {
  const decisions = routePath("/console/decisions/:region/:id");
  const events = routePath("/console/events/:region/:id");
  const deliveries = "/console/deliveries/:id";
  const decisionOf = (request: FastifyRequest) =>
    store.activity.decision(regionOf(request) ?? "us", numberOf(request));
  const eventOf = (request: FastifyRequest) =>
    store.events.get(regionOf(request) ?? "us", idOf(request));
  const deliveryFor = (request: FastifyRequest) =>
    store.deliveries.get(numberOf(request));

  scope.get(decisions, { config }, async (request, reply) => {
    const { decisionPage } = await loadPages();
    return sendPage(reply, decisionPage(found(request, decisionOf(request))));
  });
  scope.get(`${decisions}/request`, { config }, (request, reply) =>
    sendJson(reply, found(request, decisionOf(request)).request),
  );
  scope.get(events, { config }, async (request, reply) => {
    const { eventPage } = await loadPages();
    const { body } = found(request, eventOf(request));
    const page = eventPage(regionOf(request) ?? "us", idOf(request), body);
    return sendPage(reply, page);
  });
  scope.get(`${events}/json`, { config }, (request, reply) =>
    sendJson(reply, found(request, eventOf(request)).body),
  );
  scope.get(deliveries, { config }, async (request, reply) => {
    const { deliveryPage } = await loadPages();
    const delivery = found(request, deliveryFor(request));
    return sendPage(reply, deliveryPage(deliveryOf(store, delivery)));
  });
  scope.get(`${deliveries}/body`, { config }, (request, reply) =>
    sendJson(reply, found(request, deliveryFor(request)).body),
  );
}

function found<T>(request: FastifyRequest, record: T | undefined): T {
  return record ?? refusePath(request);
}

function idOf({ params }: FastifyRequest): string {
  return (params as { readonly id: string }).id;
}

/** The number in a path. A path without one gives 0, which no record has. */
function numberOf(request: FastifyRequest): number {
  const id = idOf(request);
  return /^\d{1,15}$/.test(id) ? Number(id) : 0;
}

function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.type("application/json; charset=utf-8").send(text);
}

function sendPage(reply: FastifyReply, { text }: Markup): FastifyReply {
  return reply.type("text/html; charset=utf-8").send(text);
}

/**
 * The region of `?region=us`; undefined, for all regions, without one or with
 * an unknown one.
 */
function chosenRegion({ query }: FastifyRequest): Region | undefined {
  const { region } = query as { readonly region?: unknown };
  return REGIONS.find((known) => known === region);
}

/**
 * Refuses everybody who may not make control calls. With a keys file, the `controlKey` is
 * needed: as a bearer token, or as a password with any user name. Throws AnswerError.
 */
function guardConsole(
  { host, keys: { controlKey } }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  refuseWebPages(request, host);
  if (controlKey === undefined || request.caller?.kind === "control") return;
  if (passwordOf(request) === controlKey) return;
  reply.header("www-authenticate", 'Basic realm="devid", charset="UTF-8"');
  throw new AnswerError(
    "unauthorized",
    "The console takes the controlKey of the keys file as password, with any user name.",
  );
}

function passwordOf({ headers }: FastifyRequest): string | undefined {
  const [, coded = ""] =
    /^basic +(\S+) *$/i.exec(headers.authorization ?? "") ?? [];
  return /^[^:]*:(.*)$/s.exec(Buffer.from(coded, "base64").toString())?.[1];
}

/**
 * Headers of every answer of the console. Its pages show texts of visitors and webhooks.
 * If a text was not escaped, a browser would still not run, load or frame anything.
 */
const CONSOLE_HEADERS = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

const ASSETS = {
  "console.css": "text/css; charset=utf-8",
  "console.js": "text/javascript; charset=utf-8",
  "playground.js": "text/javascript; charset=utf-8",
  "rule-playground.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml",
} as const;

type Asset = keyof typeof ASSETS;

function readAsset(name: Asset): Promise<Buffer> {
  return readFile(packageFile(`../assets/${name}`));
}
