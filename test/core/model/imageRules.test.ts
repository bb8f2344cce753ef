import assert from 'node:assert/strict';
import { parseProfiles } from '../../../src/core/model/profileFile.ts';
import { imageRuleOf, resolveProfile } from '../../../src/core/model/resolve.ts';

describe('the rule for images', () => {
  it('is the documented one of the family, also behind a router', () => {
    assert.deepEqual(imageRuleOf('gpt-4o'), { kind: 'tiles', base: 85, tile: 170 });
    assert.equal(imageRuleOf('openai/gpt-5-mini')?.kind, 'patches');
    assert.equal(imageRuleOf('anthropic/claude-sonnet-4.5')?.kind, 'area');
  });

  it('is unknown for models whose provider documents none', () => {
    assert.equal(imageRuleOf('qwen3:32b'), undefined);
  });

  it('can be stated in a profile, and a bad one is reported', () => {
    const images = { kind: 'area', pixels: 600, longest: 1000 };
    const { layer } = parseProfiles([{ id: 'mine', images }], 'test');
    assert.deepEqual(resolveProfile('mine', [layer]).profile.images, images);
    const { problems } = parseProfiles([{ id: 'mine', images: { kind: 'guess' } }], 'test');
    assert.match(problems[0]?.path ?? '', /images/);
  });
});
