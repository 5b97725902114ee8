import { REGIONS, type Region } from "@devid/sdk";
import type {
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
} from "fastify";
import type { Context } from "../context";
import { regionOf } from "../http/region-of";
import { ASSETS, readAsset, type Asset } from "./asset";
import { CONSOLE_HEADERS } from "./console-headers";
import { consolePage } from "./console-page";
import { ConsoleStream } from "./console-stream";
import { guardConsole } from "./guard-console";
import type { Html } from "./html";
import { playgroundPage } from "./playground-page";

/** Stands outside the request log and is safe from faults, as control calls are. */
const config = { isConsole: true };

/** The console at `/`, what it loads, and the playgrounds. */
export function consoleRoutes(context: Context): FastifyPluginCallback {
  return (scope, _options, done) => {
    const stream = new ConsoleStream(context);
    scope.addHook("onRequest", (request, reply, next) => {
      reply.headers(CONSOLE_HEADERS);
      guardConsole(context, request, reply);
      next();
    });
    scope.addHook("preClose", (closed) => {
      stream.close();
      closed();
    });

    scope.get("/", { config }, (request, reply) =>
      sendPage(reply, consolePage(context, chosenRegion(request))),
    );
    scope.get("/playground/:region", { config }, (request, reply) =>
      sendPage(reply, playgroundPage(context, regionOf(request) ?? "us")),
    );
    scope.get("/console/stream", { config }, (request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, {
        ...CONSOLE_HEADERS,
        "content-type": "text/event-stream",
      });
      stream.watch(reply.raw, chosenRegion(request));
    });
    for (const name of Object.keys(ASSETS) as Asset[])
      scope.get(`/console/${name}`, { config }, async (_request, reply) =>
        reply.type(ASSETS[name]).send(await readAsset(name)),
      );
    done();
  };
}

function sendPage(reply: FastifyReply, { text }: Html): FastifyReply {
  return reply.type("text/html; charset=utf-8").send(text);
}

/** `?region=us`; without, or with another one, all of them. */
function chosenRegion({ query }: FastifyRequest): Region | undefined {
  const { region } = query as { readonly region?: unknown };
  return REGIONS.find((known) => known === region);
}
