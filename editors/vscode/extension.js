// Starts `upcc lsp` for UPC files, and shows its explanations of codes in a document.
"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const EXPLAIN = "upcc.explain";

let client;

async function showPage(page) {
  const document = await vscode.workspace.openTextDocument({ content: page, language: "markdown" });
  await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
}

function activate(context) {
  const settings = vscode.workspace.getConfiguration("upcc");
  const server = {
    command: settings.get("path", "upcc"),
    args: ["lsp"],
    transport: TransportKind.stdio,
  };
  client = new LanguageClient("upcc", "upcc", server, {
    documentSelector: [{ scheme: "file", language: "upc" }],
    initializationOptions: { flags: settings.get("flags", []) },
    middleware: {
      async executeCommand(command, args, next) {
        const result = await next(command, args);
        if (command === EXPLAIN && typeof result === "string") {
          await showPage(result);
        }
        return result;
      },
    },
  });
  context.subscriptions.push({ dispose: () => client.stop() });
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
