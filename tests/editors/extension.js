// Activates the extension for VS Code with stand-ins for the editor and its client, and reports what it asks of them.
"use strict";

const Module = require("module");

const said = [];
const vscode = {
  ViewColumn: { Beside: -2 },
  workspace: {
    getConfiguration: (section) => ({
      get: (name, usual) => ({ "upcc.flags": ["-T=2"] })[`${section}.${name}`] ?? usual,
    }),
    openTextDocument: async (options) => options,
  },
  window: { showTextDocument: async (document) => said.push(`shows ${document.content}`) },
};
let created;
class LanguageClient {
  constructor(id, name, server, options) {
    created = { server, options };
  }
  async start() {
    said.push("starts");
  }
  async stop() {
    said.push("stops");
  }
}
const stand_ins = {
  vscode,
  "vscode-languageclient/node": { LanguageClient, TransportKind: { stdio: 0 } },
};
const load = Module._load;
Module._load = (name, ...rest) => stand_ins[name] ?? load(name, ...rest);

async function main() {
  const extension = require(process.argv[2]);
  await extension.activate({ subscriptions: [] });
  const { server, options } = created;
  said.push([server.command, ...server.args].join(" "));
  said.push(JSON.stringify(options.initializationOptions));
  said.push(options.documentSelector.map((one) => one.language).join(" "));
  const page = await options.middleware.executeCommand("upcc.explain", [], async () => "# E0300");
  said.push(`returns ${page}`);
  await options.middleware.executeCommand("other", [], async () => "ignored");
  await extension.deactivate();
  console.log(said.join("\n"));
}

main();
