// node installAll.ts: installs the browser and VS Code's server, where they are missing, for the rings that drive them.
import { findBrowser } from './findBrowser.ts';
import { installServer } from './installServer.ts';
import { root } from './root.ts';

findBrowser();
installServer(root);
