"""A wheel with the C libraries inside: `make wheel` builds them first, without assimp and without the server."""

import pathlib
import re

from setuptools import setup
from wheel.bdist_wheel import bdist_wheel

here = pathlib.Path(__file__).parent
header = (here / "include-version.h").read_text()
version = ".".join(re.findall(r"define CAROM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))


class Wheel(bdist_wheel):
    """No extension module is compiled, so any Python 3 will do; the libraries are for one kind of machine."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(
    name="carom",
    version=version,
    description="Rigid-body impacts that come out right",
    long_description="Impacts of many rigid bodies at many contacts at the same instant, by many laws; worlds in time "
                     "with every joule accounted for.",
    license="MIT",
    packages=["carom"],
    package_data={"carom": ["py.typed", "lib/*"]},
    python_requires=">=3.9",
    install_requires=["numpy"],
    cmdclass={"bdist_wheel": Wheel},
)
