export { seal } from "./seal";
export { unseal } from "./unseal";
export { UnsealError } from "./unseal-error";
