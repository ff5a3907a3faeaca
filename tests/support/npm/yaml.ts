export { parse } from "npm:yaml@2.8.2";
