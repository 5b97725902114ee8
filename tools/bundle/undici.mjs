// undici without fetch, WebSocket, caches and mocks, a third of it: a process then makes
// its first request sooner. Dispatchers have all methods that undici itself gives them:
// its agents for proxies call some that our packages do not.
import api from "undici/lib/api/index.js";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import Pool from "undici/lib/dispatcher/pool.js";

Object.assign(Dispatcher.prototype, api);

export { Agent, buildConnector, EnvHttpProxyAgent, Pool };
