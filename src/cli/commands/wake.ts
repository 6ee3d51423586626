import { remindCommand } from '../remind.js';

export default remindCommand('wake');
