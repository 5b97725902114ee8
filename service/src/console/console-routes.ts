import { readFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { type Region, REGIONS } from "@devid/sdk/wire";
import type {
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
} from "fastify";
import type { Context } from "../context";
import { AnswerError, MANAGEMENT_ERRORS } from "../http/answer-error";
import { refuseWebPages } from "../http/refuse-other-hosts";
import { refusePath, regionOf } from "../http/request-path";
import { routePath } from "../http/surface";
import { packageFile } from "../package-files";
import type { ConsolePage } from "./html";

const loadPages = () => import("./pages.js");

/** Lint, the solver and the parser of YAML are loaded for the first question. */
const loadRulePlayground = () => import("./rule-playground.js");

const RULE_PLAYGROUND = "/playground/:region/rules";

/** What a request for a page asks for. */
interface Asked {
  readonly context: Context;
  /** The region of the path; `us` for a path without one. */
  readonly region: Region;
  /** The region of `?region=us`; undefined, for all regions, without a known one. */
  readonly chosen: Region | undefined;
  /** The ID in the path, and the same as a number: 0, which no record has, if it is none. */
  readonly id: string;
  readonly n: number;
  /** The query, or the form that was sent. */
  readonly query: URLSearchParams;
}

type Pages = Awaited<ReturnType<typeof loadPages>>;
type MakePage = (
  asked: Asked,
  pages: Pages,
) => ConsolePage | undefined | Promise<ConsolePage | undefined>;

/** The pages by their paths. Undefined: there is no such page. */
const PAGES: Readonly<Record<string, MakePage>> = {
  "/": ({ context, chosen }, pages) => pages.consolePage(context, chosen),
  "/console/:id": ({ context, chosen, id }, pages) =>
    pages.consolePage(context, chosen, id),
  "/console/decisions/:region/:id": ({ context, region, n }, pages) => {
    const decision = context.store.activity.decision(region, n);
    return decision && pages.decisionPage(decision);
  },
  "/console/events/:region/:id": ({ context, region, id }, pages) => {
    const event = context.store.events.get(region, id);
    return event && pages.eventPage(region, id, event.body);
  },
  "/console/deliveries/:id": ({ context: { store }, n }, pages) => {
    const delivery = store.deliveries.get(n);
    return delivery && pages.deliveryPage(store.deliveries.shown(delivery));
  },
  [RULE_PLAYGROUND]: async ({ context, region, query }) =>
    (await loadRulePlayground()).rulePlaygroundPage(context, region, query),
};

/** The console at `/`, its assets, the pages of what it lists, and the playground of rules. */
export function consoleRoutes(context: Context): FastifyPluginCallback {
  return (scope, _options, done) => {
    scope.addHook("onRequest", (request, reply, next) => {
      reply.headers(CONSOLE_HEADERS);
      guardConsole(context, request, reply);
      next();
    });
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      (_request, body, parsed) =>
        parsed(null, new URLSearchParams(String(body))),
    );
    const version = versionOf(context);
    for (const [path, make] of Object.entries(PAGES))
      scope.route({
        method: path === RULE_PLAYGROUND ? ["GET", "POST"] : "GET",
        url: routePath(path),
        ...ROUTE,
        handler: async (request, reply) => {
          const tag = version();
          reply.header("etag", tag);
          // A page asks for itself every second, and gets nothing while it is as it was.
          if (request.headers["if-none-match"] === tag)
            return reply.code(304).send();
          const pages = await loadPages();
          const asked = askedBy(request, context);
          const page = (await make(asked, pages)) ?? pages.MISSING;
          if (page === pages.MISSING) reply.code(404);
          const text = asked.query.get("text");
          if (text === null)
            return reply
              .type("text/html; charset=utf-8")
              .send(pages.pageHtml(page));
          const section = page.sections.find(({ id }) => id === text);
          return reply
            .type("text/plain; charset=utf-8")
            .send(
              (section && pages.sectionText(section)) ?? refusePath(request),
            );
        },
      });
    for (const [name, type] of Object.entries(ASSETS))
      scope.get(`/console/${name}`, ROUTE, async (_request, reply) =>
        reply.type(type).send(await readFile(packageFile(`../assets/${name}`))),
      );
    done();
  };
}

const ROUTE = {
  config: { surface: { name: "console", errorFormat: MANAGEMENT_ERRORS } },
  exposeHeadRoute: true,
};

function askedBy(request: FastifyRequest, context: Context): Asked {
  const { id = "" } = request.params as { readonly id?: string };
  const { body, originalUrl } = request;
  const query = new URLSearchParams(originalUrl.replace(/^[^?]*/, ""));
  const chosen = query.getAll("region").join();
  return {
    context,
    region: regionOf(request) ?? "us",
    chosen: REGIONS.find((region) => region === chosen),
    id,
    n: /^\d{1,15}$/.test(id) ? Number(id) : 0,
    query: body instanceof URLSearchParams ? body : query,
  };
}

/**
 * Returns the function that gives a tag which changes whenever something was stored,
 * asked or answered, and every minute.
 */
function versionOf({ store, requestLog, clock }: Context): () => string {
  // Another run of the service may count the same changes.
  const run = randomUUID();
  return () => {
    const minute = Math.floor(clock.nowMs() / 60_000);
    return `"${[run, store.changes(), requestLog.changes(), minute].join()}"`;
  };
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
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  // With no-referrer, a browser would send a form of these pages without its origin.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

const ASSETS = {
  "console.css": "text/css; charset=utf-8",
  "console.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml",
} as const;
