"""Supply and support radii, General and Offensive Supply, attrition."""
