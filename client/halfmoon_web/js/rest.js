/**
 * What every page stands on besides the first screen.  It comes right behind that, together with the page's own part: what
 * is asked for at once shares the line of a phone, and nobody reads these words before the first ones.
 */

import "./pagewords.js";
import "./elements/hm-glimpse.js";
