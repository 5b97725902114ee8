import { itCopies } from "./cloning-page";

itCopies();
