// Khronos' own judge of glTF files. Usage: node validate-glb.mjs FILE...; prints one line per file
// and what is wrong with it, and fails where there is an error or a warning.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const validator = createRequire(import.meta.url)('gltf-validator');
let bad = 0;
for (const path of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 20 });
    const { numErrors, numWarnings, messages } = report.issues;
    console.log(`${path}: ${numErrors} errors, ${numWarnings} warnings, ${report.info.animationCount} animations, ` +
        `${report.info.drawCallCount} draw calls, ${report.info.totalVertexCount} vertices`);
    for (const m of messages.filter((m) => m.severity < 2)) console.log(`  ${m.code}: ${m.message} (${m.pointer})`);
    bad += numErrors + numWarnings;
}
process.exitCode = bad ? 1 : 0;
