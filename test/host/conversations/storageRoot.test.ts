import assert from 'node:assert/strict';
import { findStorageRoot } from '../../../src/host/conversations/storageRoot.ts';

describe('findStorageRoot', () => {
  it('is one folder for all windows of a workspace', () => {
    const first = '/data/User/workspaceStorage/2c1743a391305fbf367df8e4f069f9f9/karl-budget.karl';
    assert.equal(findStorageRoot(first), first);
    assert.equal(findStorageRoot(first.replace('f9/', 'f9-1/')), first);
    assert.equal(findStorageRoot(first.replace('f9/', 'f9-12/')), first);
  });

  it('leaves ids that begin with a minus sign and other folders alone', () => {
    for (const path of [
      '/data/workspaceStorage/-48e8f41f/karl',
      '/data/workspaceStorage/-12/karl',
      '/home/me-1/globalStorage/karl-2',
    ]) {
      assert.equal(findStorageRoot(path), path);
    }
    assert.equal(findStorageRoot('/data/workspaceStorage/-48e8f41f-1/karl'), '/data/workspaceStorage/-48e8f41f/karl');
    assert.equal(findStorageRoot('C:\\d\\workspaceStorage\\abc-1\\karl'), 'C:\\d\\workspaceStorage\\abc\\karl');
  });
});
