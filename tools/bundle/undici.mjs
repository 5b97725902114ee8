// undici without fetch, WebSocket, caches and mocks. This is a third of undici, so a
// process makes its first request sooner (docs/benchmarks.md, `npm run bench:load`). Dispatchers have the methods that our
// packages call, and those that undici's proxy agents call.
import connect from "undici/lib/api/api-connect.js";
import request from "undici/lib/api/api-request.js";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import Pool from "undici/lib/dispatcher/pool.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";

Object.assign(Dispatcher.prototype, { connect, request });

export { Agent, buildConnector, Pool, ProxyAgent };
