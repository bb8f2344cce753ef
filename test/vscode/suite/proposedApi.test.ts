import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** A property and a function that are not in the finished API, by the proposal that they belong to. */
const PROPOSED = {
  extensionsAny: () => Reflect.get(vscode.extensions, 'allAcrossExtensionHosts'),
  chatParticipantAdditions: () => Reflect.get(vscode.lm, 'fileIsIgnored')(vscode.Uri.file('/a')),
};

describe('a proposed API', () => {
  for (const [proposal, use] of Object.entries(PROPOSED))
    it(`throws, as it does for users: ${proposal}`, () => {
      assert.throws(use, new RegExp(`CANNOT use API proposal: ${proposal}`));
    });
});
