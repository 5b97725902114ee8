import { HandlerHost } from "../../helpers/handler-host";
import { itConforms } from "./adapters";

// Most tests call the handlers in their own process, as here.
itConforms("dynamic, without its host", (workspace) =>
  Promise.resolve(new HandlerHost(workspace)),
);
