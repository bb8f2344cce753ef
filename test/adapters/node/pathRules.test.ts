import assert from 'node:assert/strict';
import { isUnsafeName, placeInFolder, refusePath } from '../../../src/adapters/node/workspaceTools/workspacePath.ts';

/** Rules of every system, tested on any: a family of paths is an argument. */
describe('paths that a model names', () => {
  describe('on Windows', () => {
    for (const [what, paths] of [
      [
        'a share',
        ['\\\\server\\share\\file.txt', '//server/share', '\\\\?\\C:\\ws\\a.txt', '\\\\.\\C:', '\\/server/a'],
      ],
      [
        'a device',
        ['CON', 'nul', 'src/NUL', 'src\\Com1', 'LPT9.txt', 'aux.tar.gz', 'COM²', 'CONIN$', 'nul .txt', 'prn/a'],
      ],
      ['a stream', ['a.txt:stream', 'a.txt::$DATA', 'src:secret/a.txt', 'C:\\ws\\a.txt:hidden', '.:x']],
      ['a drive without its root', ['C:a.txt', 'D:', 'c:..\\outside']],
      [
        'a name with a dropped end',
        ['a.txt.', 'a.txt ', 'src /a.txt', '.. \\outside', '..\\.. .\\x', '...', 'src/... /x'],
      ],
      ['characters of no name', ['\\??\\C:\\x', 'a?.txt', 'a*.txt', 'a<b', 'a|b', 'a"b', 'a\u0001b', 'a\nb']],
    ] as const) {
      it(`refuses ${what}`, () => {
        for (const path of paths) assert.match(refusePath(path, 'windows') ?? '', /Only/, JSON.stringify(path));
      });
    }

    it('takes ordinary names, also those that only look like devices', () => {
      for (const path of ['src/main.ts', 'src\\main.ts', '.\\a.txt', '..\\a', 'C:\\ws\\a.txt', 'c:/ws/a.txt', ''])
        assert.equal(refusePath(path, 'windows'), undefined, path);
      for (const name of ['console.ts', 'null.txt', 'com10', 'auxiliary', 'prn-1', '.con', 'a.con', '.env', 'a b.txt'])
        assert.equal(isUnsafeName(name), false, name);
    });

    const folders = [{ name: 'ws', path: 'c:\\Work\\ws' }];
    it('leaves outside what leads there', () => {
      for (const path of [
        '..\\outside\\a.txt',
        '../outside',
        'src\\..\\..\\outside',
        'src/..\\../outside',
        'C:\\Work\\ws2\\a.txt',
        'C:\\Work\\ws\\..\\outside',
        'D:\\Work\\ws\\a.txt',
        'D:/Work/ws/a.txt',
        '\\Windows\\win.ini',
        '/Windows/win.ini',
        'C:\\',
      ])
        assert.match(String(placeInFolder(folders, path, 'windows')), /outside the workspace/, path);
    });

    it('finds what is inside, whatever the separators and the case of drive and folder', () => {
      for (const path of [
        'src\\a.txt',
        'src/a.txt',
        '.\\x\\..\\src/a.txt',
        'C:\\work\\WS\\src\\a.txt',
        'C:/Work/ws/src/a.txt',
      ]) {
        const place = placeInFolder(folders, path, 'windows');
        assert.equal(typeof place === 'string' ? place : place.shown, 'src/a.txt', path);
      }
      const itself = placeInFolder(folders, '.', 'windows');
      assert.deepEqual(itself, { folder: folders[0], target: 'c:\\Work\\ws', shown: '.' });
      const dotted = placeInFolder(folders, '..a\\b', 'windows');
      assert.equal(typeof dotted === 'string' ? dotted : dotted.shown, '..a/b', 'a name may begin with dots');
    });

    it('begins a path with the name of its folder when there are several, on any drive', () => {
      const several = [...folders, { name: 'other', path: 'D:\\other' }];
      const shown = (path: string) => {
        const place = placeInFolder(several, path, 'windows');
        return typeof place === 'string' ? 'refused' : `${place.target} ${place.shown}`;
      };
      assert.equal(shown('other\\a.txt'), 'D:\\other\\a.txt other/a.txt');
      assert.equal(shown('D:\\other\\a.txt'), 'D:\\other\\a.txt other/a.txt');
      assert.equal(shown('ws/../../Windows'), 'refused');
      assert.equal(shown('other\\..\\secret'), 'refused');
      assert.equal(shown('a.txt'), 'refused');
    });
  });

  describe('elsewhere', () => {
    it('refuses shares, addresses and NUL, and accepts what is a name there', () => {
      for (const path of ['//server/share', '\\\\server\\share', 'https://a/b', 'file:///etc/passwd', 'a\0b'])
        assert.notEqual(refusePath(path, 'posix'), undefined, JSON.stringify(path));
      for (const path of ['a.txt:stream', 'CON', 'a.txt.', '..\\x', 'a b ', '/ws/a'])
        assert.equal(refusePath(path, 'posix'), undefined, path);
    });

    it('distinguishes case in the name of a folder, and takes a backslash for a character', () => {
      const folders = [{ name: 'ws', path: '/home/ws' }];
      assert.match(String(placeInFolder(folders, '/home/WS/a', 'posix')), /outside/);
      assert.match(String(placeInFolder(folders, '/home/ws2/a', 'posix')), /outside/);
      const place = placeInFolder(folders, '..\\a', 'posix');
      assert.equal(typeof place === 'string' ? place : place.target, '/home/ws/..\\a');
    });
  });
});
