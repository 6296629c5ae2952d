/** Distances and witness points by FCL's own API, for `proxbench score`.
 *
 *   g++ -O2 -std=c++17 score_fcl.cpp $(pkg-config --cflags --libs fcl) -o score_fcl
 *   ./score_fcl SCENARIO answers.csv       SCENARIO: a folder that `proxbench export` wrote
 */
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using Model = fcl::BVHModel<fcl::RSSd>;

static void read_off(const std::string &path, Model &model)
{
    std::ifstream file(path);
    std::string word;
    size_t vertices = 0, faces = 0, edges = 0, corners = 0;
    file >> word >> vertices >> faces >> edges;
    std::vector<fcl::Vector3d> points(vertices);
    std::vector<fcl::Triangle> triangles(faces);
    for (fcl::Vector3d &p : points) {
        file >> p.x() >> p.y() >> p.z();
    }
    for (fcl::Triangle &t : triangles) {
        file >> corners >> t[0] >> t[1] >> t[2];
    }
    model.beginModel();
    model.addSubModel(points, triangles);
    model.endModel();
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::cerr << "usage: score_fcl SCENARIO answers.csv\n";
        return 2;
    }
    const std::string folder = argv[1];
    Model a, b;
    read_off(folder + "/a.off", a);
    read_off(folder + "/b.off", b);
    std::ifstream poses(folder + "/trajectory.csv");
    std::ofstream out(argv[2]);
    out.precision(17);
    out << "frame,distance_m,witness_ax_m,witness_ay_m,witness_az_m,witness_bx_m,witness_by_m,"
           "witness_bz_m,time_ns\n";
    std::string line;
    std::getline(poses, line); /* frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw,... */
    for (size_t frame = 0; std::getline(poses, line); frame++) {
        double n[9] = {0};
        std::istringstream fields(line);
        int number = 0;
        for (std::string field; number < 9 && std::getline(fields, field, ','); number++) {
            n[number] = std::stod(field);
        }
        fcl::Transform3d at = fcl::Transform3d::Identity();
        at.linear() = Eigen::Quaterniond(n[8], n[5], n[6], n[7]).matrix();
        at.translation() << n[2], n[3], n[4];
        const auto begin = std::chrono::steady_clock::now();
        fcl::DistanceResultd result;
        fcl::distance(&a, fcl::Transform3d::Identity(), &b, at, fcl::DistanceRequestd(true, 0, 0),
                      result);
        const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begin;
        out << frame << ',' << std::max(result.min_distance, 0.0);
        for (int i = 0; i < 6; i++) { /* FCL gives both points in A's frame */
            out << ',' << result.nearest_points[i / 3][i % 3];
        }
        out << ',' << took.count() << '\n';
    }
    return out.flush() ? 0 : 1;
}
